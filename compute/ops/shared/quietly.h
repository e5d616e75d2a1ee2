// SPDX-License-Identifier: GPL-3.0-or-later
// Suppresses messages of HEALPix C++ on the standard streams, which are reserved for results and
// one-line messages.
#pragma once

namespace armilla {

// Discards std::cout and std::cerr of the process during its lifetime. Only one may exist: a second
// thread waits. Hold it for short calls, not for a whole computation.
class QuietStreams {
public:
    QuietStreams();
    ~QuietStreams();
    QuietStreams(const QuietStreams&) = delete;
    QuietStreams& operator=(const QuietStreams&) = delete;
};

// Returns call() with the streams discarded.
template <class Call>
auto quietly(const Call& call) {
    const QuietStreams quiet;
    return call();
}

}  // namespace armilla
