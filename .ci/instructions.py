"""Which functions use AVX: ``instructions.py FOLDER`` reads all object files of a build.

A module runs on every processor of its architecture if wider instructions are only in functions that are
chosen at run time. These are in namespaces of their own, ``konig::avx2`` and ``konig::avx512``. Any other
function that has them is an error: an inline function of the standard library, say, of which the linker keeps
one copy for all.
"""

import re
import subprocess
import sys
from pathlib import Path

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
# A VEX or EVEX instruction, or one of its registers.
WIDE = re.compile(
    r"\t(v[a-z0-9]+|k(mov|or|and|not|xor|test|unpck|shift)[a-z]+)\b|%[yz]mm|%xmm(1[6-9]|[23]\d)"
)
# Mangled: also what the standard library makes for a type of these namespaces.
CHOSEN_AT_RUN_TIME = re.compile(r"5konig(4avx2|6avx512)")


def wide_functions(compiled: list[Path]) -> set[str]:
    command = ["objdump", "--disassemble", "--no-show-raw-insn", *map(str, compiled)]
    found, function = set(), ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listing:
        assert listing.stdout is not None
        for line in listing.stdout:
            if named := FUNCTION.match(line):
                function = named[1]
            elif WIDE.search(line):
                found.add(function)
    if listing.returncode:
        raise SystemExit("objdump failed")
    return found


def main(folder: str) -> None:
    compiled = sorted(Path(folder).rglob("*.o"))
    if not compiled:
        raise SystemExit(f"{folder}: no object files")
    found = wide_functions(compiled)
    wrong = sorted(name for name in found if not CHOSEN_AT_RUN_TIME.search(name))
    if wrong:
        raise SystemExit("\n  ".join([f"{folder}: AVX outside of functions chosen at run time:", *wrong]))
    print(f"{folder}: AVX in {len(found)} functions of {len(compiled)} files, all of them chosen at run time")


if __name__ == "__main__":
    main(sys.argv[1])
