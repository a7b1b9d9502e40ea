// Commands to a GPU. Python makes contexts, memory, modules and streams.
#include "bindings/gpu.h"

#include <nanobind/stl/map.h>

#include <memory>

namespace konig {
namespace {

// The memory of a contiguous object, held while this lives.
class Buffer {
 public:
  Buffer(nb::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) nb::raise_python_error();
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* memory() const { return view_.buf; }
  size_t bytes() const { return size_t(view_.len); }

 private:
  Py_buffer view_;
};

// The arguments of a kernel: whole numbers and addresses of 64 bits, doubles, and bytes for what is passed by
// value.
class Arguments {
 public:
  explicit Arguments(const nb::tuple& given) {
    words_.resize(given.size());
    for (size_t k = 0; k < given.size(); ++k) {
      const nb::handle one = given[k];
      void* place = &words_[k];
      if (PyBytes_Check(one.ptr()))
        place = PyBytes_AsString(one.ptr());
      else if (PyFloat_Check(one.ptr()))
        words_[k].real = nb::cast<double>(one);
      else
        words_[k].whole = nb::cast<int64_t>(one);
      places_.push_back(place);
    }
  }
  void** places() { return places_.data(); }

 private:
  union Word {
    int64_t whole;
    double real;
  };
  std::vector<Word> words_;
  std::vector<void*> places_;
};

enum Command { kFill, kWrite, kLaunch, kRead };

// Returns when all is done if one of the commands reads, else as soon as they are on their way.
void send(const Driver& driver, uintptr_t stream, const nb::list& commands) {
  bool reads = false;
  std::vector<std::unique_ptr<Buffer>> held;  // until what is read is there
  for (const nb::handle given : commands) {
    const auto command = nb::borrow<nb::tuple>(given);
    switch (nb::cast<int>(command[0])) {
      case kFill: {
        const auto to = nb::cast<uintptr_t>(command[1]);
        const auto bytes = nb::cast<size_t>(command[2]);
        const auto byte = nb::cast<int>(command[3]);
        const nb::gil_scoped_release released;  // any command waits where the stream has no room for more
        driver.fill(to, byte, bytes, stream);
        break;
      }
      case kWrite: {
        const Buffer from(command[2], PyBUF_SIMPLE);
        const auto to = nb::cast<uintptr_t>(command[1]);
        const nb::gil_scoped_release released;  // a large copy may wait for the stream
        driver.write(to, from.memory(), from.bytes(), stream);
        break;
      }
      case kLaunch: {
        Arguments arguments(nb::borrow<nb::tuple>(command[4]));
        const auto kernel = as_kernel(nb::borrow<nb::tuple>(command[1]));
        const auto blocks = nb::cast<unsigned>(command[2]), threads = nb::cast<unsigned>(command[3]);
        const nb::gil_scoped_release released;
        driver.launch(kernel, blocks, threads, arguments.places(), stream);
        break;
      }
      case kRead: {
        held.push_back(std::make_unique<Buffer>(command[2], PyBUF_WRITABLE));
        const auto from = nb::cast<uintptr_t>(command[1]);
        const nb::gil_scoped_release released;  // a copy to memory that is not pinned waits for the stream
        driver.read(held.back()->memory(), from, held.back()->bytes(), stream);
        reads = true;
        break;
      }
      default:
        throw nb::value_error("no such command");
    }
  }
  if (!reads) return;
  const nb::gil_scoped_release released;
  driver.wait(stream);
}

}  // namespace

void bind_gpu(nb::module_& m) {
  m.attr("FILL") = int(kFill);
  m.attr("WRITE") = int(kWrite);
  m.attr("LAUNCH") = int(kLaunch);
  m.attr("READ") = int(kRead);
  nb::class_<Driver>(m, "Driver", "The calls of the CUDA driver.")
      .def(nb::init<const std::string&>(), "library"_a, "Those of a shared library.")
      .def(nb::init<const Driver::Calls&>(), "calls"_a, "Stand-ins: their addresses by name.")
      .def("send", &send, "stream"_a, "commands"_a,
           "Send commands, which are carried out in their order: (FILL, address, bytes, byte), (WRITE, "
           "address, buffer), (LAUNCH, (function, cooperative), blocks, threads, arguments), (READ, address, "
           "buffer). If there is a READ, it returns when all is done.");
}

}  // namespace konig
