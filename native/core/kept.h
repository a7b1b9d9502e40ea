// An object that a thread keeps from one call to the next, so that its memory is allocated once: small
// problems would otherwise spend as long on allocation as on the solve. A nested call (a Python signal
// handler may make one) gets an object of its own.
#pragma once

#include <memory>
#include <utility>

namespace konig {

template <class Object>
class Kept {
 public:
  Kept() : object_(std::exchange(kept_, nullptr)) {
    if (!object_) object_ = new Object;
  }
  ~Kept() {
    if (drop_ || kept_) {
      delete object_;
      return;
    }
    kept_ = object_;
    static thread_local const AtTheEnd at_the_end;
    (void)at_the_end;
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  Object& operator*() { return *object_; }
  Object* operator->() { return object_; }
  // Frees it at the end of the call: it has grown too large to be kept.
  void drop() { drop_ = true; }

 private:
  // Frees the kept object when the thread ends.
  struct AtTheEnd {
    AtTheEnd() {}
    ~AtTheEnd() { delete std::exchange(kept_, nullptr); }
  };

  static inline thread_local Object* kept_ = nullptr;  // null while it is in use
  Object* object_;
  bool drop_ = false;
};

}  // namespace konig
