// SPDX-License-Identifier: GPL-3.0-or-later
// Scratch memory of the size of maps.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"

namespace armilla {

// Not initialized: the first write, in any thread, brings a page in. It requests huge pages from
// the system, because the transforms step through it in strides of rings.
template <typename T>
class LargeArray {
    static_assert(std::is_trivially_destructible_v<T>);

public:
    // Throws OutOfMemory, before any allocation, if the array does not fit.
    explicit LargeArray(size_t count) {
        constexpr size_t kHugePage = size_t{1} << 21;
        const size_t bytes = count * sizeof(T);
        requireMemory("array of " + std::to_string(count) + " elements",
                      static_cast<int64_t>(bytes));
        const size_t alignment = bytes < kHugePage ? 64 : kHugePage;
        data_.reset(static_cast<T*>(::operator new (bytes, std::align_val_t{alignment})));
        data_.get_deleter().alignment = alignment;
        adviseHugePages(data_.get(), bytes);
    }
    T* data() { return data_.get(); }

private:
    struct Free {
        size_t alignment = 64;
        void operator()(T* p) const { ::operator delete (p, std::align_val_t{alignment}); }
    };
    std::unique_ptr<T, Free> data_;
};

}  // namespace armilla
