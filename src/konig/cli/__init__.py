"""The ``konig`` command. Each command has a module of its own; this one turns errors into exit statuses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

__all__ = ["main"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: `arguments` is what follows ``konig``, by default the process's own.

    Returns the exit status: 0; 1 when a certificate is refused; 2 for bad input and for output that cannot be
    written; 130 when interrupted. Whatever is not 0 has put one line on stderr.

    Examples
    --------
    >>> from konig.cli import main
    >>> main(["match", "--help-me"])
    2
    """
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)


def _run(arguments: Sequence[str] | None) -> int:
    import typer

    from konig.cli.app import assembled
    from konig.cli.refusal import CommandError, checked_stdout

    arguments = sys.argv[1:] if arguments is None else arguments
    if "--distributed" in arguments:
        from konig.cli.over_ranks import silence_other_ranks

        silence_other_ranks()
    command = typer.main.get_command(assembled(wanted=arguments))
    try:
        with checked_stdout():
            status = command.main(arguments, prog_name="konig", standalone_mode=False)
    except CommandError as refused:
        return _complain(str(refused), refused.status)
    except typer.Abort:
        return _complain("interrupted", INTERRUPTED)
    except Exception as problem:
        # A usage error. Its class belongs to click, which some releases of typer carry inside.
        if not hasattr(problem, "format_message"):
            raise
        return _complain(f"{problem.format_message() or 'a command is missing'} (see konig --help)", 2)
    if status == INTERRUPTED:
        return _complain("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _complain(problem: str, status: int) -> int:
    line = " ".join(problem.split())
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"konig: {line}", file=sys.stderr, flush=True)
    return status
