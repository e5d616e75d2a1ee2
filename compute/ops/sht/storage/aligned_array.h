// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace armilla {

inline constexpr size_t kVectorAlignment = 64;

// Storage aligned for vector loads.
template <typename T>
class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(size_t count)
        : data_(static_cast<T*>(
              ::operator new (count * sizeof(T), std::align_val_t{kVectorAlignment}))),
          count_(count) {
        for (size_t i = 0; i < count; ++i) data_.get()[i] = T{};
    }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](size_t i) { return data_.get()[i]; }
    const T& operator[](size_t i) const { return data_.get()[i]; }
    size_t size() const { return count_; }

private:
    struct Free {
        void operator()(T* p) const { ::operator delete (p, std::align_val_t{kVectorAlignment}); }
    };
    std::unique_ptr<T, Free> data_;
    size_t count_ = 0;
};

}  // namespace armilla
