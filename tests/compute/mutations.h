// SPDX-License-Identifier: GPL-3.0-or-later
// Damage to the bytes of a file, for tests of readers.
#pragma once

#include <QtTest>
#include <cstddef>
#include <iterator>
#include <random>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "compute/fits_bytes.h"
#include "support/patience.h"

namespace armilla::testing {

using Random = std::mt19937;

inline size_t below(Random& random, size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
}

// Values that provoke errors of sizes, signs and products.
inline const char* const kValues[] = {"0",
                                      "-1",
                                      "1",
                                      "2",
                                      "255",
                                      "1024",
                                      "4096",
                                      "65536",
                                      "2147483647",
                                      "-2147483648",
                                      "4294967296",
                                      "4611686018427387904",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "1E300",
                                      "NaN",
                                      "T",
                                      "'x'",
                                      "''",
                                      "'",
                                      "1000000",
                                      "29",
                                      "536870912",
                                      "999999999999999999999"};
inline const char* const kForms[] = {
    "'1024E'", "'0E'",  "'1Z'", "'PE(100)'", "'1QD(9)'", "'99999999999E'", "'A'",
    "'-1E'",   "'16X'", "'1C'", "'L'",       "'K'",      "'E15.7'"};

inline void changeCard(std::string& bytes, Random& random) {
    // Cards lie in the first blocks; mutations elsewhere change data in card-sized steps, which is
    // also useful.
    const size_t card = 80 * below(random, std::min<size_t>(bytes.size() / 80, 110));
    const bool form = bytes.compare(card, 5, "TFORM") == 0 && below(random, 2) == 0;
    std::string value = form ? kForms[below(random, std::size(kForms))]
                             : kValues[below(random, std::size(kValues))];
    value.resize(20, ' ');
    bytes.replace(card + 10, 20, value);
}

// Changes, removes, inserts or repeats bytes and cards of 80 bytes, one to four times.
inline void mutate(std::string& bytes, Random& random) {
    const size_t times = 1 + below(random, 4);
    for (size_t i = 0; i < times && bytes.size() > 160; ++i) {
        const size_t at = below(random, bytes.size());
        switch (below(random, 9)) {
            case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8))); break;
            case 1: bytes[at] = static_cast<char>(below(random, 256)); break;
            case 2: bytes.resize(at + 1); break;
            case 3:
                bytes.erase(at, std::min<size_t>(1 + below(random, 4000), bytes.size() - at));
                break;
            case 4: bytes.insert(at, std::string(1 + below(random, 3000), ' ')); break;
            case 5: {  // a card removed or repeated
                const size_t card = 80 * below(random, bytes.size() / 80);
                if (below(random, 2) == 0)
                    bytes.replace(card, 80, std::string(80, ' '));
                else
                    bytes.insert(card, bytes.substr(card, 80));
                break;
            }
            default: changeCard(bytes, random); break;
        }
    }
}

// Writes a file unchanged and then damaged, `count` times in all (ARMILLA_MUTATIONS replaces the
// number), and calls `read(attempt)` for each. attempt(call) runs call(job): the call may throw an
// error of one line. At least one call succeeds on the unchanged file.
template <class Read>
void readMutants(const std::string& file, const std::string& base, int count, unsigned seed,
                 const Read& read) {
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("ARMILLA_MUTATIONS", &given);
    Random random(seed);
    int successes = 0;
    const auto attempt = [&](const auto& call) {
        JobContext job({}, {}, 2);
        try {
            call(job);
            ++successes;
        } catch (const Error& error) {
            // One line, and no internal failure reported as an error of the file.
            QVERIFY2(error.code() != ErrorCode::Internal, error.what());
            QVERIFY2(std::string(error.what()).find('\n') == std::string::npos, error.what());
        }
    };
    for (int i = 0; i < (given ? wanted : count); ++i) {
        std::string bytes = base;
        if (i > 0) mutate(bytes, random);
        writeBytes(file, bytes);
        const test::HangWatch watch;
        read(attempt);
        if (i == 0) QVERIFY(successes >= 1);
        QVERIFY2(!watch.isOver(), qPrintable(QStringLiteral("mutant %1").arg(i)));
    }
}

}  // namespace armilla::testing
