// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix C++ speaks on the standard streams, which belong to the program's results and one-line
// messages.
#pragma once

namespace armilla {

// While it lives, std::cout and std::cerr of the process go nowhere. One exists at a time: a second
// thread waits for the first, so hold it for short calls only, not for a whole computation.
class QuietStreams {
public:
    QuietStreams();
    ~QuietStreams();
    QuietStreams(const QuietStreams&) = delete;
    QuietStreams& operator=(const QuietStreams&) = delete;
};

// call() without a word on the streams.
template <class Call>
auto quietly(const Call& call) {
    const QuietStreams quiet;
    return call();
}

}  // namespace armilla
