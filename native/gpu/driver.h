// What host code asks of a GPU between the launches of a solve: fill, write, launch, read, wait.
//
// These are the CUDA driver's own calls, looked up at run time, so that no CUDA is needed to build. By way of
// Python each takes 2 to 20 us, and a call on small costs makes some twenty of them. Contexts, memory,
// modules and streams are Python's (CuPy's): here they are addresses. The calling thread has the device's
// context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace konig {

class Driver {
 public:
  // The address of each call by its name, for instance cuStreamSynchronize.
  using Calls = std::map<std::string, uintptr_t>;

  // Those of a shared library, such as libcuda.so.1.
  explicit Driver(const std::string& library);
  // Stand-ins, for machines without a GPU.
  explicit Driver(const Calls& calls);

  // Commands are carried out in their order on a stream. Host memory that is written from must be ordinary
  // (pageable): the driver copies it before the call returns, and it may be changed then. What is read is
  // there after wait().
  void fill(uintptr_t to, int byte, size_t bytes, uintptr_t stream) const;
  void write(uintptr_t to, const void* from, size_t bytes, uintptr_t stream) const;
  void read(void* to, uintptr_t from, size_t bytes, uintptr_t stream) const;
  void copy(uintptr_t to, uintptr_t from, size_t bytes, uintptr_t stream) const;  // there
  void wait(uintptr_t stream) const;

  // One-dimensional grids and blocks; `arguments` point to the kernel's arguments. A cooperative launch runs
  // all blocks at once.
  struct Kernel {
    uintptr_t function = 0;
    bool cooperative = false;
  };
  void launch(const Kernel& kernel, unsigned blocks, unsigned threads, void** arguments,
              uintptr_t stream) const;

 private:
  // CUresult, CUdeviceptr, CUfunction and CUstream of cuda.h.
  using Result = int;
  using Address = unsigned long long;
  using Handle = void*;

  template <class Find>
  void find_all(Find find);
  void require(Result result, const char* what) const;

  Result (*fill_)(Address, unsigned char, size_t, Handle) = nullptr;
  Result (*write_)(Address, const void*, size_t, Handle) = nullptr;
  Result (*read_)(void*, Address, size_t, Handle) = nullptr;
  Result (*copy_)(Address, Address, size_t, Handle) = nullptr;
  Result (*wait_)(Handle) = nullptr;
  Result (*launch_)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,
                    void**, void**) = nullptr;
  Result (*launch_together_)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             Handle, void**) = nullptr;
  Result (*describe_)(Result, const char**) = nullptr;
};

}  // namespace konig
