#!/usr/bin/env python3
"""Records what a Direct3D 9 answers to the golden cases (README.md beside this file).

usage: record.py [--oracle DIR] FILE...             records case files in place
       record.py [--oracle DIR] --generate [NAME] [--again]
                                                    records the generated cases (all, or names that contain NAME)
                                                    that are new or changed; with --again the others too
       record.py --check                            recomputes every case by the sheet's rules, draws nothing
       record.py --coverage                         rewrites the coverage table in the cases' README
The oracle's folder may also come from the environment variable AQUATINT_D3D9.
"""

import argparse
import concurrent.futures
import os
import sys
import tempfile

import casefile
import coverage
import oracle
import sheet

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "..", "..", "tests", "golden", "d3d9")
WORKERS = 2


class Contradiction(Exception):
    pass


def by_sheet(case, **rules):
    try:
        return sheet.run_job(case.words, case.job, sheet.Rules(**rules))
    except sheet.Unsupported:
        return None


def show(texels):
    return "; ".join(f"{k[0]},{k[1]}: " + " ".join(casefile.number(x) for x in v)
                     for k, v in sorted((texels or {}).items(), key=lambda kv: kv[0][::-1]))


def settle(case, drawn):
    """Sets mode and expectations from what Wine drew and from the sheet's rules; Contradiction if nothing fits."""
    same = lambda a, b: a is not None and b is not None and casefile.same(a, b, case.tolerance)
    ours = by_sheet(case, options=case.options)
    ieee = by_sheet(case, ieee=True, options=case.options)
    written = case.expect
    case.wine = None
    if case.wine_differs:
        want = ours if ours is not None else written
        if want is None:
            raise Contradiction("differs from Wine, and neither the sheet's machine nor the file has the answer")
        case.expect, case.mode, case.wine = want, "both" if same(ieee, want) else "strict", drawn
        if ours is None:
            case.mode = "both"
        option = by_sheet(case, ieee=True, options=[case.wine_option])
        if case.wine_option and not same(option, drawn):
            raise Contradiction(f"not explained by {case.wine_option}: {show(option)} | Wine {show(drawn)}")
        if same(drawn, want):
            raise Contradiction("said to differ from Wine, but does not: " + show(drawn))
        return
    if ours is None:
        if written is not None and not same(drawn, written):
            raise Contradiction(f"file {show(written)} | Wine {show(drawn)}")
        case.expect, case.mode = drawn, "both"
    elif same(drawn, ours):
        case.expect, case.mode = drawn, "both" if same(ieee, ours) else "strict"
    elif same(drawn, ieee):
        case.expect, case.wine, case.mode = ours, drawn, "ieee"
        if not case.notes:
            case.notes = ["sheet 2.1 and 2.4, default float rules: 0*x = 0, FLT_MAX for infinite results"]
    else:
        raise Contradiction(f"sheet {show(ours)} | ieee {show(ieee)} | Wine {show(drawn)}")


def record(case, machine):
    with tempfile.TemporaryDirectory(dir=machine.tmp) as cwd:
        for stage, text in case.text.items():
            case.words[stage] = machine.assemble(text, case.hand[stage], case.version.get(stage), cwd)
        drawn = None
        if not case.wine_differs.startswith("refuses"):
            try:
                drawn = machine.draw(case.words, case.job, cwd)
            except oracle.NothingDrawn:  # Wine fails to start now and then
                drawn = machine.draw(case.words, case.job, cwd)
    if drawn is None:
        case.expect = by_sheet(case) or case.expect
        case.mode, case.wine = "both" if by_sheet(case, ieee=True) == case.expect else "strict", None
    else:
        settle(case, drawn)


def record_all(cases, folder):
    machine = oracle.Oracle(folder)
    failures = []

    def one(case):
        try:
            record(case, machine)
            return case, ""
        except Contradiction as error:
            return case, f"contradiction: {error}"
        except Exception as error:  # every case gets its turn; the list of failures is the report
            return case, f"{type(error).__name__}: {error}"
    try:
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for case, problem in pool.map(one, cases):
                path = os.path.join(CASES, case.name + ".case")
                if problem:
                    failures.append(f"{case.name}: {problem}")
                else:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(casefile.write(case))
    finally:
        machine.close()
    for line in failures:
        print(line)
    print(f"{len(cases) - len(failures)} recorded, {len(failures)} failed")
    return not failures


def all_cases():
    for name in sorted(os.listdir(CASES)):
        if name.endswith(".case"):
            yield casefile.read(os.path.join(CASES, name), name[:-5])


def recorded(case):
    """Whether the file of a generated case holds the same inputs, so that its answers still stand."""
    path = os.path.join(CASES, case.name + ".case")
    if not os.path.exists(path):
        return False
    try:
        old = casefile.read(path, case.name)
    except ValueError:  # of an older format
        return False
    return all(getattr(old, key) == getattr(case, key) for key in
               ("title", "covers", "tolerance", "wine_differs", "wine_option", "options", "hand", "version", "text",
                "job")) and (old.notes == case.notes or not case.notes)


def check():
    bad = total = unchecked = 0
    for case in all_cases():
        total += 1
        ours = by_sheet(case, options=case.options)
        problem = ""
        if ours is None:
            unchecked += 1
        elif not casefile.same(ours, case.expect, case.tolerance):
            problem = f"[expect] against the sheet: {show(ours)}"
        if case.mode == "ieee" and not casefile.same(by_sheet(case, ieee=True), case.wine, case.tolerance):
            problem = "[expect.wine] against the Ieee rules"
        if problem:
            bad += 1
            print(f"{case.name}: {problem}")
    print(f"{total} cases, {bad} disagree, {unchecked} outside the sheet's machine (recorded only)")
    return not bad


def main():
    arguments = argparse.ArgumentParser(description="record golden Direct3D 9 cases")
    arguments.add_argument("--oracle", default=os.environ.get("AQUATINT_D3D9"))
    arguments.add_argument("--generate", nargs="?", const="", metavar="NAME")
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--coverage", action="store_true")
    arguments.add_argument("files", nargs="*")
    options = arguments.parse_args()
    done = True
    if options.generate is not None or options.files:
        if not options.oracle:
            sys.exit("name the oracle's folder: --oracle DIR or AQUATINT_D3D9")
        if options.generate is not None:
            import generate
            cases = [c for c in generate.cases() if options.generate in c.name
                     and (options.again or not recorded(c))]
        else:
            cases = [casefile.read(f, os.path.basename(f)[:-5]) for f in options.files]
        done = record_all(cases, options.oracle)
    if options.check:
        done = check() and done
    if options.coverage:
        coverage.write(list(all_cases()), os.path.join(CASES, "README.md"))
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
