// SPDX-License-Identifier: GPL-3.0-or-later
// What the command says while it works: standard output as a whole, standard error line by line,
// and the progress bar.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace armilla::cli {

// Writes all of `text` to standard output. Throws IoError (closed pipe, full disk).
void writeStandardOutput(std::string_view text);
// Text with '?' in place of control characters, which names of files and header cards may hold and
// a terminal would obey; ends of lines stay.
std::string printableLines(std::string_view text);
// Writes one line to standard error, line feeds within it turned into blanks. Never fails.
void writeErrorLine(std::string_view line);
// The same for text of several lines.
void writeErrorLines(std::string_view text);

// Text broken at blanks into lines that end by column 80, where all but the first begin at column
// `indent` and the first where `used` columns are taken.
std::string wrapped(std::string_view text, size_t indent, size_t used);

// One line on standard error that is drawn over: stage, bar, share done, time left. Draws at most
// 10 times a second, and nothing at all if standard error is no terminal or `wanted` is false.
class ProgressBar {
public:
    ProgressBar(std::string command, bool wanted);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    void show(double fraction, std::string_view stage);
    // Takes the line away.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    std::string command_;
    bool enabled_ = false;
    bool visible_ = false;
    Clock::time_point start_, last_;
};

}  // namespace armilla::cli
