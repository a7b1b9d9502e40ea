"""``python -m konig`` is the ``konig`` command."""

import sys

from konig.cli import main

if __name__ == "__main__":
    sys.exit(main())
