"""``python -m fuzz``: many cases for some minutes, or one case again."""

from __future__ import annotations

import argparse
import faulthandler
import json
import math
import os
import secrets
import subprocess
import sys
import warnings
from textwrap import indent

import sanitized_package
from rich.console import Console

from .case import violations
from .runner import Campaign
from .shrink import shrink
from .worker import add_arguments, make, sanitized_folder, use_package


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, help="5 if not given, no limit with --cases")
    parser.add_argument("--cases", type=int, help="end after that many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds after which a call hangs")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="repeat one case in this process")
    parser.add_argument(
        "--shrink", action="store_true", help="with --only: make the input as small as it gets"
    )
    parser.add_argument(
        "--times", type=int, default=1, help="with --only: how often, since threads may differ"
    )
    parser.add_argument("--out", metavar="FILE", help="write all findings, a JSON document a line")
    arguments = parser.parse_args()
    if arguments.seed is None:
        arguments.seed = secrets.randbelow(10**9)
    if arguments.minutes is None:
        arguments.minutes = 5.0 if arguments.cases is None else math.inf
    environment = None
    if arguments.sanitize is not None:
        environment = sanitized_package.environment(arguments.sanitize)
        if "LD_PRELOAD" not in os.environ:
            sanitized_package.build(arguments.sanitize, sanitized_folder(arguments.sanitize))
            if arguments.only is not None:  # this interpreter cannot load the module, another can
                again = [sys.executable, "-m", "fuzz", *sys.argv[1:]]
                return subprocess.run(again, env=os.environ | environment).returncode
    if arguments.only is not None:
        return repeat(arguments)
    print(f"seed {arguments.seed}", flush=True)
    campaign = Campaign(arguments, environment=environment)
    campaign.run()
    campaign.report(Console(width=None if sys.stdout.isatty() else 160, highlight=False))
    if arguments.out:
        with open(arguments.out, "w") as file:
            file.writelines(json.dumps(finding) + "\n" for finding in campaign.findings)
    return int(bool(campaign.groups))


def repeat(arguments: argparse.Namespace) -> int:
    """One case, in this process: its input, its calls and what the judge says."""
    use_package(arguments.sanitize)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    case = make(arguments, arguments.only)
    print(f"{case.problem}, {case.family}, {' x '.join(map(str, case.extent))}\n{case.source(case.given)}")
    found = False
    for call in case.calls:
        print(f"- {call.name}", flush=True)
        for violation in dict.fromkeys(v for _ in range(arguments.times) for v in violations(call.run)):
            found = True
            print(f"    {violation.kind} ({violation.size:.3g}): {violation.detail}")
            if arguments.shrink:
                shrunk = shrink(case, call, violation.kind)
                print(
                    indent(case.source(shrunk) if shrunk is not None else "no smaller", " " * 8), flush=True
                )
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
