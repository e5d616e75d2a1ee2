// SPDX-License-Identifier: GPL-3.0-or-later
// Output of a command: standard output as a whole, standard error line by line, and the progress
// bar.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace armilla::cli {

// Writes all of `text` to standard output. Throws IoError (closed pipe, full disk).
void writeStandardOutput(std::string_view text);
// Replaces control characters by '?', because file names and header cards may contain some that a
// terminal would obey; line ends stay.
std::string printableLines(std::string_view text);
// Writes one line to standard error, with line feeds replaced by blanks. Never fails.
void writeErrorLine(std::string_view line);
// Writes text of several lines to standard error. Never fails.
void writeErrorLines(std::string_view text);

// Wraps text at blanks to 80 columns. The first line starts after `used` columns, all others at
// column `indent`.
std::string wrapped(std::string_view text, size_t indent, size_t used);

// Progress line on standard error: stage, bar, share done, time left. It is redrawn at most 10
// times a second, and not at all if standard error is no terminal or `wanted` is false.
class ProgressBar {
public:
    ProgressBar(std::string command, bool wanted);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    void show(double fraction, std::string_view stage);
    // Erases the line.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    std::string command_;
    bool enabled_ = false;
    bool visible_ = false;
    Clock::time_point start_, last_;
};

}  // namespace armilla::cli
