// The calls of the CUDA driver.
#include "gpu/driver.h"

#include <dlfcn.h>

#include <stdexcept>

namespace konig {

// The names are those that cuda.h gives to the calls of version 2 of its memory interface.
template <class Find>
void Driver::find_all(Find find) {
  find("cuMemsetD8Async", fill_);
  find("cuMemcpyHtoDAsync_v2", write_);
  find("cuMemcpyDtoHAsync_v2", read_);
  find("cuMemcpyDtoDAsync_v2", copy_);
  find("cuStreamSynchronize", wait_);
  find("cuLaunchKernel", launch_);
  find("cuLaunchCooperativeKernel", launch_together_);
  find("cuGetErrorString", describe_);
}

// The library stays loaded: what made the context uses it, too.
Driver::Driver(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw std::runtime_error("CUDA's driver cannot be loaded: " + std::string(dlerror()));
  find_all([&]<class Call>(const char* name, Call& call) {
    call = reinterpret_cast<Call>(dlsym(handle, name));
    if (!call) throw std::runtime_error(library + " has no " + name);
  });
}

Driver::Driver(const Calls& calls) {
  find_all([&]<class Call>(const char* name, Call& call) {
    const auto found = calls.find(name);
    if (found == calls.end()) throw std::invalid_argument(std::string(name) + " is missing");
    call = reinterpret_cast<Call>(found->second);
  });
}

void Driver::fill(uintptr_t to, int byte, size_t bytes, uintptr_t stream) const {
  if (bytes > 0)
    require(fill_(Address(to), (unsigned char)(byte), bytes, reinterpret_cast<Handle>(stream)), "fill");
}

void Driver::write(uintptr_t to, const void* from, size_t bytes, uintptr_t stream) const {
  if (bytes > 0) require(write_(Address(to), from, bytes, reinterpret_cast<Handle>(stream)), "write");
}

void Driver::read(void* to, uintptr_t from, size_t bytes, uintptr_t stream) const {
  if (bytes > 0) require(read_(to, Address(from), bytes, reinterpret_cast<Handle>(stream)), "read");
}

void Driver::copy(uintptr_t to, uintptr_t from, size_t bytes, uintptr_t stream) const {
  if (bytes > 0) require(copy_(Address(to), Address(from), bytes, reinterpret_cast<Handle>(stream)), "copy");
}

void Driver::wait(uintptr_t stream) const { require(wait_(reinterpret_cast<Handle>(stream)), "wait"); }

void Driver::launch(const Kernel& kernel, unsigned blocks, unsigned threads, void** arguments,
                    uintptr_t stream) const {
  const auto function = reinterpret_cast<Handle>(kernel.function), on = reinterpret_cast<Handle>(stream);
  require(kernel.cooperative ? launch_together_(function, blocks, 1, 1, threads, 1, 1, 0, on, arguments)
                             : launch_(function, blocks, 1, 1, threads, 1, 1, 0, on, arguments, nullptr),
          "launch");
}

void Driver::require(Result result, const char* what) const {
  if (result == 0) return;
  const char* text = nullptr;
  describe_(result, &text);
  throw std::runtime_error("CUDA cannot " + std::string(what) + ": " +
                           (text ? text : "error " + std::to_string(result)));
}

}  // namespace konig
