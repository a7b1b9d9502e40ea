"""Arrays of CuPy, PyTorch, JAX and other libraries that speak DLPack or the CUDA array interface.

They come in without a copy, and answers go back to where the input was. Nothing is imported that the
caller has not imported: an object tells by its class where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sp

# Device types of DLPack: memory that the host reads, and memory of a CUDA device.
_DL_HOST = (1, 3)
_DL_CUDA = (2, 13)

_LIBRARIES = {"cupy": "cupy", "cupyx": "cupy", "torch": "torch", "jax": "jax", "jaxlib": "jax"}


@dataclass(frozen=True)
class Place:
    """Where an input lives and whose arrays it is made of; answers go back there.

    ``gpu`` is the number of the CUDA device, None on the host; ``jax_device`` is JAX's own name for it.
    """

    library: str = "numpy"
    gpu: int | None = None
    jax_device: Any = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return "the host" if self.gpu is None else f"cuda:{self.gpu}"

    @contextmanager
    def entered(self) -> Iterator[Any]:
        """Makes this GPU and the caller's stream current, and yields CuPy; on the host it yields NumPy."""
        if self.gpu is None:
            yield np
            return
        cupy = cupy_for(f"an input on {self}")
        with ExitStack() as stack:
            stack.enter_context(cupy.cuda.Device(self.gpu))
            if self.library == "torch":
                stack.enter_context(_torch_stream(cupy, self.gpu))
            yield cupy

    def give(self, array: Any) -> Any:
        """A NumPy or CuPy array as one of the caller's library, in the caller's place."""
        if self.gpu is None:
            return self._give_on_host(to_numpy(array))
        if self.library != "cupy" and array.size == 0:  # not every library takes a pointer to nothing
            nothing = self._give_on_host(np.zeros(array.shape, array.dtype))
            return nothing.to(f"cuda:{self.gpu}") if self.library == "torch" else nothing
        if self.library == "cupy" and not isinstance(array, np.ndarray) and array.device.id == self.gpu:
            return array
        with self.entered() as cupy:
            array = _to_current_device(cupy, array)
            if self.library == "torch":
                import torch

                return torch.from_dlpack(array)
            if self.library == "jax":
                from jax import dlpack

                return dlpack.from_dlpack(array)
            return array

    def _give_on_host(self, array: np.ndarray) -> Any:
        if self.library == "torch":
            import torch

            return torch.from_numpy(array)
        if self.library == "jax":
            import jax

            return jax.device_put(array, self.jax_device)
        return array


HOST = Place()


def cupy_for(asked: str) -> Any:
    """CuPy with a device; without one an error that says who asked for it and what to install."""
    from konig.gpu.device import cupy_or_error

    return cupy_or_error(asked)


def library_of(array: Any) -> str | None:
    """Which library made an object, by the modules of its classes: cupy, torch, jax or None."""
    made: Any = type(array)
    return _library_of_class(made)


@lru_cache
def _library_of_class(made: type) -> str | None:
    for base in made.__mro__:
        library = _LIBRARIES.get(base.__module__.partition(".")[0])
        if library:
            return library
    return None


def place_of(A: Any, name: str = "A") -> Place | None:
    """Where a matrix of another library lives; None for what NumPy, SciPy and Python made."""
    if isinstance(A, tuple) and len(A) == 2:
        places = [place_of(part, f"{name}: {side}") for part, side in zip(A, ("rows", "cols"), strict=True)]
        require_one_place(places, f"{name}: rows and cols", ("rows are", "cols"))
        return places[0] or places[1]
    library = library_of(A)
    if library == "cupy":
        sparse = hasattr(A, "format")
        return Place("cupy", int((A.data if sparse else A).device.id))
    if library == "torch":
        return _torch_place(A, name)
    if library == "jax":
        return _jax_place(A, name)
    if isinstance(A, np.ndarray | np.generic) or sp.issparse(A):
        return None
    if hasattr(A, "__dlpack_device__"):
        gpu = _dlpack_gpu(A, name)
        return Place("numpy" if gpu is None else "cupy", gpu)
    if hasattr(A, "__cuda_array_interface__"):
        return Place("cupy", _gpu_of_pointer(A.__cuda_array_interface__["data"][0], name))
    return None


def require_one_place(places: Sequence[Place | None], what: str, parts: Sequence[str]) -> None:
    """An error unless arrays that belong together are on the same device; ``parts`` are their names."""
    first, *others = (place or HOST for place in places)
    for place, part in zip(others, parts[1:], strict=True):
        if place.gpu != first.gpu:
            raise ValueError(f"{what} must be in one place, but {parts[0]} on {first} and {part} on {place}")


def _torch_place(tensor: Any, name: str) -> Place:
    if tensor.device.type not in ("cpu", "cuda"):
        raise TypeError(f"{name} must be on the CPU or on a CUDA device, not on {tensor.device}")
    return Place("torch", tensor.device.index if tensor.device.type == "cuda" else None)


def _jax_place(A: Any, name: str) -> Place:
    array = A.data if is_jax_sparse(A) else A
    devices = list(array.devices())
    if len(devices) != 1:
        raise ValueError(f"{name} must be on one device, but it is spread over {len(devices)}")
    return Place("jax", _dlpack_gpu(array, name), devices[0])


def is_jax_sparse(A: Any) -> bool:
    return type(A).__name__ in ("BCOO", "BCSR", "COO", "CSR", "CSC")


def _dlpack_gpu(array: Any, name: str) -> int | None:
    kind, number = (int(word) for word in array.__dlpack_device__())
    if kind in _DL_HOST:
        return None
    if kind in _DL_CUDA:
        return number
    raise TypeError(f"{name} must be on the CPU or on a CUDA device, not on DLPack's device {(kind, number)}")


def _gpu_of_pointer(pointer: int, name: str) -> int:
    cupy = cupy_for(f"{name}, which is on a GPU,")
    if not pointer:  # an empty array is anywhere
        return int(cupy.cuda.runtime.getDevice())
    return int(cupy.cuda.runtime.pointerGetAttributes(pointer).device)


def plain(array: Any, place: Place) -> Any:
    """The same memory as an array of NumPy, or of CuPy where the place is a GPU."""
    if place.gpu is None:
        return to_numpy(array)
    cupy = cupy_for(f"an input on {place}")
    if isinstance(array, cupy.ndarray):
        return array
    if library_of(array) == "torch":
        array = array.detach()
    if hasattr(array, "__dlpack__"):
        if 0 in tuple(array.shape):
            return cupy.empty(tuple(array.shape), str(array.dtype).removeprefix("torch."))
        try:
            return cupy.from_dlpack(array)
        except BufferError:  # an exporter that insists on read-only memory, which is not written here
            if not hasattr(array, "__cuda_array_interface__"):
                raise
            if hasattr(array, "block_until_ready"):
                array.block_until_ready()  # the other interface does not wait for JAX's work
    return cupy.asarray(array)


def to_numpy(array: Any) -> np.ndarray:
    """Any array on the host: the same memory where it is there, a copy from a GPU."""
    if isinstance(array, np.ndarray):
        return array
    library = library_of(array)
    # NumPy has no bfloat16; float32 has all of its numbers.
    is_bfloat16 = str(getattr(array, "dtype", "")).endswith("bfloat16")
    if library == "torch":
        there = array.detach().cpu()
        return np.asarray((there.float() if is_bfloat16 else there).numpy())
    if library == "cupy":
        return np.asarray(array.get())
    if library == "jax":
        return np.asarray(array.astype("float32") if is_bfloat16 else array)
    place = place_of(array)
    if place is None:
        return np.asarray(array)
    if place.gpu is None:
        return np.from_dlpack(array)
    with place.entered():
        return np.asarray(plain(array, place).get())


def to_cupy(cupy: Any, array: Any, name: str) -> Any:
    """Any array on the current device: the same memory where it is there, a copy otherwise."""
    if type(array) is cupy.ndarray and array.device.id == cupy.cuda.runtime.getDevice():
        return array
    place = place_of(array, name) or HOST
    return _to_current_device(cupy, plain(array, place))


def _to_current_device(cupy: Any, array: Any) -> Any:
    if isinstance(array, cupy.ndarray) and array.device.id != cupy.cuda.runtime.getDevice():
        with array.device:
            cupy.cuda.get_current_stream().synchronize()  # the copy is ordered on this device alone
        return array.copy()  # CuPy's copy goes to the current device
    return cupy.asarray(array)


class _StreamOfAnother:
    """A stream of another library, under the protocol by which CuPy takes it over."""

    def __init__(self, pointer: int):
        self.pointer = pointer

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.pointer


def _torch_stream(cupy: Any, gpu: int) -> Any:
    import torch

    pointer = int(torch.cuda.current_stream(gpu).cuda_stream)
    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(_StreamOfAnother(pointer))
    return cupy.cuda.ExternalStream(pointer)
