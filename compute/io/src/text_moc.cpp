// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_moc.h"

#include <algorithm>
#include <bit>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/io/map_io.h"
#include "armilla/io/moc_io.h"
#include "map_table.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr int kMaxOrder = 29;

// Appends the cells that fill [begin, end) of pixels of order 29, each as large as possible.
void fill(int64_t begin, int64_t end, std::vector<int64_t>& uniq) {
    while (begin < end) {
        const int aligned =
            begin == 0 ? kMaxOrder : std::countr_zero(static_cast<uint64_t>(begin)) / 2;
        const int fitting = (std::bit_width(static_cast<uint64_t>(end - begin)) - 1) / 2;
        const int up = std::min({aligned, fitting, kMaxOrder});
        uniq.push_back((int64_t{4} << (2 * (kMaxOrder - up))) + (begin >> (2 * up)));
        begin += int64_t{1} << (2 * up);
    }
}

struct Range {
    int64_t begin = 0, end = 0;
};

Range rangeOf(int64_t uniq) {
    const int up = 2 * (kMaxOrder - uniqOrder(uniq));
    const int64_t pixel = uniq - (int64_t{4} << (2 * uniqOrder(uniq)));
    return {pixel << up, (pixel + 1) << up};
}

class TextMoc {
public:
    TextMoc(const std::string& path, JobContext& job)
        : path_(path), job_(job), text_(readTextFile(path)) {}

    // The largest order in the text, with or without pixels.
    int order() const { return order_; }

    std::vector<int64_t> read() {
        const std::string start = trimmed(text_);
        if (!start.empty() && (start[0] == 't' || start.starts_with("{\"t")))
            refuse(path_, "a coverage of the sky", "a MOC of dimension TIME");
        if (start.starts_with('{') && !start.ends_with('}'))
            fail("a '}' at the end of a MOC as JSON", "the end of the file (it is truncated)");
        // "N/" (ASCII) and "N": (JSON) set the order; all other numbers are pixels.
        int order = -1;
        for (size_t at = 0; at < text_.size();) {
            if (!isDigit(text_[at])) {
                skipped(text_[at++]);
                continue;
            }
            const int64_t first = number(at);
            size_t next = text_.find_first_not_of(" \t\r\n\"", at);
            const char mark = next == std::string::npos ? ' ' : text_[next];
            if (mark == '/' || mark == ':') {
                if (first > kMaxOrder) fail("an order from 0 to 29", std::to_string(first));
                order = static_cast<int>(first);
                order_ = std::max(order_, order);
                at = next + 1;
                continue;
            }
            int64_t last = first;
            if (mark == '-') {
                at = text_.find_first_not_of(" \t\r\n", next + 1);
                if (at == std::string::npos || !isDigit(text_[at]))
                    fail("a pixel after '-'", "none");
                last = number(at);
            }
            add(order, first, last);
        }
        return std::move(uniq_);
    }

private:
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
        refuse(path_, expected, found);
    }
    void skipped(char c) const {
        if (std::string_view(" \t\r\n,;[]{}\"s").find(c) == std::string_view::npos)
            fail("a MOC as ASCII or JSON", inQuotes(std::string(1, c)));
    }
    int64_t number(size_t& at) const {
        const size_t end = std::min(text_.find_first_not_of("0123456789", at), text_.size());
        const auto value = parseInteger(std::string_view(text_).substr(at, end - at));
        if (!value) fail("whole numbers", inQuotes(text_.substr(at, end - at)));
        at = end;
        return *value;
    }
    void add(int order, int64_t first, int64_t last) {
        if (order < 0) fail("an order before the first pixel", std::to_string(first));
        if (first > last || last >= int64_t{12} << (2 * order))
            fail("pixels of order " + std::to_string(order),
                 std::to_string(first) + "-" + std::to_string(last));
        if ((++count_ & 0xfff) == 0) job_.poll();
        // A range becomes a few cells; pixels of one order would be as many as the range is long.
        const int up = 2 * (kMaxOrder - order);
        fill(first << up, (last + 1) << up, uniq_);
    }

    std::string path_;
    JobContext& job_;
    std::string text_;
    std::vector<int64_t> uniq_;
    int64_t count_ = 0;
    int order_ = 0;
};

}  // namespace

std::vector<int64_t> cellsOfRanges(const std::string& path, const std::vector<int64_t>& ranges) {
    constexpr int64_t kEnd = int64_t{12} << (2 * kMaxOrder);
    if (ranges.size() % 2 != 0) refuse(path, "pairs of first and last pixel", "an odd number");
    std::vector<int64_t> uniq;
    int64_t last = 0;
    for (size_t i = 0; i < ranges.size(); i += 2) {
        if (ranges[i] < last || ranges[i + 1] <= ranges[i] || ranges[i + 1] > kEnd)
            refuse(path, "ascending ranges of pixels of order 29",
                   std::to_string(ranges[i]) + " to " + std::to_string(ranges[i + 1]));
        last = ranges[i + 1];
        fill(ranges[i], last, uniq);
    }
    return uniq;
}

HealpixMap coverageMask(const std::string& path, Frame frame, std::vector<int64_t> uniq,
                        JobContext& job) {
    constexpr int64_t kEnd = int64_t{12} << (2 * kMaxOrder);
    std::vector<Range> ranges;
    for (size_t i = 0; i < uniq.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        if (uniq[i] < 4 || uniqOrder(uniq[i]) > kMaxOrder)
            refuse(path, "UNIQ numbers of cells of order 0 to 29",
                   std::to_string(uniq[i]) + " in row " + std::to_string(i + 1));
        ranges.push_back(rangeOf(uniq[i]));
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    // Covered cells stay as in the file; gaps become cells of 0.
    std::vector<int64_t> cells;
    std::vector<float> values;
    int64_t at = 0;
    const auto add = [&](int64_t begin, int64_t end, float value) {
        fill(begin, end, cells);
        values.resize(cells.size(), value);
    };
    for (size_t i = 0; i < ranges.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        const Range& range = ranges[i];
        if (range.begin < at) {
            const bool same = i > 0 && range.begin == ranges[i - 1].begin;
            refuse(path, "cells that do not overlap",
                   "two cells with pixel " + std::to_string(range.begin) + " of order 29" +
                       (same ? " both first" : ""));
        }
        add(at, range.begin, 0.0F);
        add(range.begin, range.end, 1.0F);
        at = range.end;
    }
    add(at, kEnd, 0.0F);
    int deepest = 0;
    for (const int64_t cell : cells) deepest = std::max(deepest, uniqOrder(cell));
    std::vector<uint8_t> orders;
    for (int64_t& cell : cells) {
        orders.push_back(static_cast<uint8_t>(uniqOrder(cell)));
        cell = (cell - (int64_t{4} << (2 * orders.back()))) << (2 * (deepest - orders.back()));
    }
    Field coverage;
    coverage.name = kCoverageName;
    coverage.values = std::move(values);
    return HealpixMap::multiOrder(int64_t{1} << deepest, frame, std::move(cells), std::move(orders),
                                  {std::move(coverage)});
}

bool isTextMoc(const std::string& path) {
    std::string start = startOfTextFile(path);
    std::erase_if(start, [](char c) { return isBlank(c); });
    if (start == "{}") return true;
    if (start.starts_with("{\"")) return start.size() > 2 && (isDigit(start[2]) || start[2] == 't');
    const size_t digits = start.starts_with('s') || start.starts_with('t') ? 1 : 0;
    const size_t end = start.find_first_not_of("0123456789", digits);
    return end != std::string::npos && end > digits && end - digits <= 2 && start[end] == '/';
}

HealpixMap readTextMoc(const std::string& path, JobContext& job) {
    TextMoc moc(path, job);
    std::vector<int64_t> cells = moc.read();
    HealpixMap map = coverageMask(path, Frame::Equatorial, std::move(cells), job);
    declareMocOrder(map, moc.order());
    return map;
}

}  // namespace armilla
