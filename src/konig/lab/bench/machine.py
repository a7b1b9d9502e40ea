"""The machine and the libraries that konig finds here."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import konig
from konig import _native
from konig.gpu.compile import headers_digest
from konig.gpu.device import INSTALL
from konig.threads import available_cores

PEERS = ("igraph", "networkx", "lapx", "lapjv", "ortools", "PyMaxflow")
OPTIONAL = {"matplotlib": "konig[plot]", **dict.fromkeys(PEERS, "konig[bench]")}


def facts() -> dict[str, Any]:
    return {
        "konig": konig.__version__,
        "python": f"{platform.python_version()} on {platform.platform(terse=True)}",
        "cores": available_cores(),
        "native build": f"{os.path.basename(_native.__file__)}",
        "methods": len(konig.methods()),
        "gpu": gpu(),
        "numpy": importlib.metadata.version("numpy"),
        "scipy": importlib.metadata.version("scipy"),
        **{package: _version(package, extra) for package, extra in OPTIONAL.items()},
    }


def circumstances() -> dict[str, Any]:
    """The facts, and what else a benchmark records: the code, the day, and how busy the cores are."""
    return facts() | {
        "python": f"{platform.python_version()} on {platform.system()}",
        "processor": processor(),
        "device code": headers_digest(),
        "commit": commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def commit() -> str:
    """The commit of the checkout that this package lies in, and whether its code was changed since."""
    checkout = ["git", "-C", str(Path(__file__).resolve().parents[4])]
    try:
        head = subprocess.check_output(
            [*checkout, "rev-parse", "--short", "HEAD"], stderr=subprocess.DEVNULL, text=True, timeout=10
        )
        changed = subprocess.run([*checkout, "diff", "--quiet", "HEAD", "--", "src", "native"], timeout=10)
    except (OSError, subprocess.SubprocessError):
        return "not in a checkout"
    return head.strip() + ("-dirty" if changed.returncode else "")


def gpu() -> str:
    """The CUDA devices, or what is missing."""
    try:
        import cupy
    except ImportError:
        if shutil.which("nvidia-smi"):
            return f"there is one, but no cupy: {INSTALL}"
        return f"none found (with an NVIDIA GPU: {INSTALL})"
    try:
        number = cupy.cuda.runtime.getDeviceCount()
        names = [cupy.cuda.runtime.getDeviceProperties(d)["name"].decode() for d in range(number)]
    except Exception as problem:  # whatever the driver says, it means no GPU
        return f"cupy {cupy.__version__} finds no device: {' '.join(str(problem).split())}"
    return f"{', '.join(names)} (cupy {cupy.__version__})"


def gpus() -> int:
    """How many CUDA devices there are, as far as cupy can tell."""
    try:
        import cupy

        return int(cupy.cuda.runtime.getDeviceCount())
    except Exception:  # without cupy, a driver or a device there is none to use
        return 0


def _version(package: str, extra: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return f"not installed: pip install '{extra}'"
