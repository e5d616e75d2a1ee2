// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/quietly.h"

#include <iostream>
#include <mutex>
#include <streambuf>

namespace armilla {

namespace {

struct Nothing : std::streambuf {
    int overflow(int c) override { return traits_type::not_eof(c); }
};

std::mutex guard;  // guards the four variables below
Nothing nothing;
std::streambuf* output = nullptr;
std::streambuf* errors = nullptr;

}  // namespace

QuietStreams::QuietStreams() {
    guard.lock();
    output = std::cout.rdbuf(&nothing);
    errors = std::cerr.rdbuf(&nothing);
}

QuietStreams::~QuietStreams() {
    std::cout.rdbuf(output);
    std::cerr.rdbuf(errors);
    guard.unlock();
}

}  // namespace armilla
