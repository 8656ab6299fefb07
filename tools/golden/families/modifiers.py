"""Not written yet."""


def cases():
    return []
