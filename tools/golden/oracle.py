"""The two oracle programs (an assembler and a drawer, run by Wine) as Python functions.

One virtual X server serves all calls. `Oracle(folder)`: folder holds d3d9_asm.exe, d3d9_oracle.exe and `prefix`.
"""

import os
import shutil
import struct
import subprocess
import tempfile

import tokens

DEF_OPS = ("dcl", "def", "defi", "defb")


class OracleError(Exception):
    pass


class NothingDrawn(OracleError):
    """The drawer printed nothing at all."""


class Oracle:
    def __init__(self, folder):
        self.folder = folder
        self.tmp = tempfile.mkdtemp(prefix="d3d9-golden-")
        read, write = os.pipe()
        self.xvfb = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            display = pipe.readline().strip()
        self.env = dict(os.environ, DISPLAY=":" + display, WINEDEBUG="-all",
                        WINEPREFIX=os.path.join(folder, "prefix"))

    def close(self):
        self.xvfb.terminate()
        self.xvfb.wait()
        shutil.rmtree(self.tmp, ignore_errors=True)

    def run(self, program, args, cwd):
        # a file, not a pipe: Wine's background processes inherit it and would keep a pipe open
        path = os.path.join(cwd, "said")
        with open(path, "w", encoding="utf-8") as said:
            subprocess.run(["wine", os.path.join(self.folder, program + ".exe"), *args], cwd=cwd, env=self.env,
                           stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.DEVNULL, timeout=60, check=False)
        with open(path, encoding="utf-8", errors="replace") as said:
            return said.read()

    def assemble(self, text, hand, version, cwd):
        """Words of `text`. Lines named in `hand` are kept from Wine's assembler and spliced in as given:
        declarations and definitions after the version word, others where they stand (a nop holds the place)."""
        waiting, front, body, lines = list(hand), [], [], []
        for line in text.splitlines():
            bare = line.split("//")[0].strip()
            known = [h for h in waiting if h[0] == bare]
            if not known:
                lines.append(line)
                continue
            waiting.remove(known[0])
            if bare.split()[0].split("_")[0] in DEF_OPS:
                front += known[0][1]
            else:
                lines.append("nop")
                body.append(known[0][1])
        if waiting:
            raise OracleError(f"hand line is not in the text: {waiting[0][0]}")
        if version is not None:  # assemble as the nearest version that Wine's assembler knows
            stage = lines[0][:3]
            lines[0] = stage + ("2_x" if version >> 8 & 0xFF == 2 else "3_0")
        with open(os.path.join(cwd, "in.asm"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        out = os.path.join(cwd, "out.bin")
        if os.path.exists(out):
            os.remove(out)
        said = self.run("d3d9_asm", ["in.asm", "out.bin"], cwd)
        if not os.path.exists(out):
            raise OracleError("assembler: " + said.strip())
        with open(out, "rb") as file:
            data = file.read()
        words = list(struct.unpack(f"<{len(data) // 4}I", data))
        if version is not None:
            words[0] = version
        if body:
            nops = [at for at, w in instruction_starts(words) if w == 0]
            if len(nops) != len(body):
                raise OracleError("a hand line and a real nop in one shader")
            for at, new in reversed(list(zip(nops, body))):
                words[at:at + 1] = new
        return words[:1] + front + words[1:]

    def draw(self, shaders, job, cwd):
        lines = []
        for stage, words in shaders.items():
            with open(os.path.join(cwd, stage + ".bin"), "wb") as file:
                file.write(struct.pack(f"<{len(words)}I", *words))
            lines.append(f"{stage} {stage}.bin")
        with open(os.path.join(cwd, "job"), "w", encoding="ascii") as file:
            file.write("\n".join(lines + job) + "\n")
        said = self.run("d3d9_oracle", ["job"], cwd)
        out = {}
        for line in said.splitlines():
            if not line.startswith("texel "):
                raise OracleError(line)
            f = line.split()
            out[int(f[1]), int(f[2])] = tuple(float(v) for v in f[3:7])
        if not out:
            raise NothingDrawn("no texels")
        return out


def instruction_starts(words):
    """(index, word) of each instruction token: by the length field from shader model 2, by the table in model 1."""
    sm1 = words[0] >> 8 & 0xFF == 1
    minor = words[0] & 0xFF
    at = 1
    while words[at] != 0xFFFF:
        word = words[at]
        yield at, word
        op = word & 0xFFFF
        if op == 0xFFFE:
            at += 1 + (word >> 16 & 0x7FFF)
        elif op == 0xFFFD:
            at += 1
        elif not sm1:
            at += 1 + (word >> 24 & 15)
        elif op in (31, 81):
            at += 3 if op == 31 else 6
        else:
            _, dst, src = tokens.OPS[op]
            extra = 1 if minor == 4 and op in (64, 66) else 0
            at += 1 + dst + (3 if src is None else src) + extra
