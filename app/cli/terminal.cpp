// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "armilla/core/error.h"

namespace armilla::cli {

namespace {

// Returns 0, or the errno of the write that failed.
int writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<size_t>(written));
    }
    return 0;
}

int terminalColumns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

std::string timeText(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(seconds));
    std::array<char, 48> text{};
    if (whole < 60)
        std::snprintf(text.data(), text.size(), "%lld s", whole);
    else if (whole < 3600)
        std::snprintf(text.data(), text.size(), "%lld:%02lld min", whole / 60, whole % 60);
    else
        std::snprintf(text.data(), text.size(), "%lld:%02lld h", whole / 3600, whole / 60 % 60);
    return text.data();
}

}  // namespace

void writeStandardOutput(std::string_view text) {
    if (const int failure = writeAll(STDOUT_FILENO, text); failure != 0)
        throw IoError("standard output: expected to write " + std::to_string(text.size()) +
                      " bytes, found: " + std::strerror(failure));
}

std::string printableLines(std::string_view text) {
    std::string result(text);
    for (size_t i = 0; i < result.size(); ++i) {
        const auto c = static_cast<unsigned char>(result[i]);
        const bool control = (c < 32 && c != '\n') || c == 127;
        // Terminals treat U+0080 to U+009F in UTF-8 as control characters as well.
        const bool high =
            c >= 0x80 && c < 0xA0 && i > 0 && static_cast<unsigned char>(result[i - 1]) == 0xC2;
        if (high) result[i - 1] = '?';
        if (control || high) result[i] = '?';
    }
    return result;
}

void writeErrorLine(std::string_view line) {
    std::string text = printableLines(line);
    std::replace(text.begin(), text.end(), '\n', ' ');
    text += '\n';
    writeAll(STDERR_FILENO, text);
}

void writeErrorLines(std::string_view text) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        writeErrorLine(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string wrapped(std::string_view text, size_t indent, size_t used) {
    constexpr size_t kColumns = 80;
    // Counts characters of UTF-8: continuation bytes begin with the bits 10.
    const auto columnsOf = [](std::string_view word) {
        return static_cast<size_t>(std::count_if(
            word.begin(), word.end(), [](unsigned char c) { return (c & 0xC0U) != 0x80U; }));
    };
    std::string lines;
    bool begins = true;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!begins && used + 1 + columnsOf(word) > kColumns) {
            lines += '\n' + std::string(indent, ' ');
            used = indent;
            begins = true;
        }
        if (!begins) lines += ' ';
        lines += word;
        used += columnsOf(word) + (begins ? 0 : 1);
        begins = false;
    }
    return lines;
}

ProgressBar::ProgressBar(std::string command, bool wanted)
    : command_(std::move(command)),
      enabled_(wanted && isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_(start_) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::show(double fraction, std::string_view stage) {
    if (!enabled_) return;
    const Clock::time_point now = Clock::now();
    // Short work shows no bar, which would only flicker.
    if (now - last_ < std::chrono::milliseconds(visible_ ? 100 : 300)) return;
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - start_).count();

    std::array<char, 16> percent{};
    std::snprintf(percent.data(), percent.size(), "%3.0f %%", 100.0 * fraction);
    std::string right = std::string(" ") + percent.data();
    if (fraction > 0.01 && elapsed > 1.0)
        right += ", " + timeText(elapsed * (1.0 - fraction) / fraction) + " left";
    const std::string left = command_ + ": " + std::string(stage) + " ";
    const int room =
        terminalColumns() - 3 - static_cast<int>(left.size()) - static_cast<int>(right.size());
    std::string line = "\r\033[K" + left;
    if (room >= 10) {
        const int width = std::min(room, 40);
        const int filled = std::clamp(static_cast<int>(std::lround(fraction * width)), 0, width);
        line += "[" + std::string(static_cast<size_t>(filled), '#') +
                std::string(static_cast<size_t>(width - filled), '.') + "]";
    }
    line += right;
    writeAll(STDERR_FILENO, line);
    visible_ = true;
}

void ProgressBar::clear() {
    if (!visible_) return;
    writeAll(STDERR_FILENO, "\r\033[K");
    visible_ = false;
}

}  // namespace armilla::cli
