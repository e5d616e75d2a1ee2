// SPDX-License-Identifier: GPL-3.0-or-later
// A file descriptor that its owner closes.
#pragma once

#include <unistd.h>

#include <utility>

namespace armilla {

// Owns a POSIX file descriptor; -1 stands for no file. Movable, not copyable.
class Descriptor {
public:
    explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : descriptor_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        close();
        descriptor_ = other.release();
        return *this;
    }
    bool isOpen() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }
    int release() { return std::exchange(descriptor_, -1); }
    void close() {
        if (isOpen()) ::close(release());
    }

private:
    int descriptor_;
};

}  // namespace armilla
