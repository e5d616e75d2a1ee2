// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/moc_io.h"
#include "fits_header.h"
#include "fits_writer.h"

namespace armilla {

namespace {

// The cells by order, then along the sky; adjacent cells of one order as "first-last" if `runs`.
std::string asciiOf(const SkyRanges& ranges, int order, JobContext& job) {
    std::vector<SkyCell> cells = cellsOf(ranges);
    std::stable_sort(cells.begin(), cells.end(),
                     [](const SkyCell& a, const SkyCell& b) { return a.order < b.order; });
    std::string text;
    int last = -1;
    for (size_t i = 0; i < cells.size();) {
        if ((i & 0xfff) == 0) job.poll();
        if (cells[i].order != last) {
            last = cells[i].order;
            text += (text.empty() ? "" : " ") + std::to_string(last) + "/";
        } else {
            text += " ";
        }
        size_t end = i + 1;
        while (end < cells.size() && cells[end].order == last &&
               cells[end].pixel == cells[end - 1].pixel + 1)
            ++end;
        text += std::to_string(cells[i].pixel);
        if (end - i > 1) text += "-" + std::to_string(cells[end - 1].pixel);
        i = end;
    }
    // States the order of the MOC if no cell has that order.
    if (last < order) text += (text.empty() ? "" : " ") + std::to_string(order) + "/";
    return text + "\n";
}

std::string jsonOf(const SkyRanges& ranges, int order, JobContext& job) {
    std::vector<SkyCell> cells = cellsOf(ranges);
    std::stable_sort(cells.begin(), cells.end(),
                     [](const SkyCell& a, const SkyCell& b) { return a.order < b.order; });
    std::string text = "{";
    int last = -1;
    for (size_t i = 0; i < cells.size(); ++i) {
        if ((i & 0xfff) == 0) job.poll();
        if (cells[i].order != last) {
            text += last < 0 ? "" : "],\n";
            last = cells[i].order;
            text += "\"" + std::to_string(last) + "\":[";
        } else {
            text += ",";
        }
        text += std::to_string(cells[i].pixel);
    }
    if (last >= 0) text += "]";
    if (last < order) text += (last < 0 ? "\"" : ",\n\"") + std::to_string(order) + "\":[]";
    return text + "}\n";
}

constexpr const char* kOrderCard = "MOCORD_S";

}  // namespace

std::optional<int> declaredMocOrder(const HealpixMap& map) {
    for (const std::string& card : map.metadata().cards)
        if (cardKeyword(card) == kOrderCard)
            if (const auto order = parseInteger(trimmed(card.substr(9))))
                return static_cast<int>(*order);
    return std::nullopt;
}

void declareMocOrder(HealpixMap& map, int order) {
    std::vector<std::string>& cards = map.metadata().cards;
    std::erase_if(cards, [](const std::string& card) { return cardKeyword(card) == kOrderCard; });
    std::string card = std::string(kOrderCard) + "= " + std::to_string(order);
    card.resize(80, ' ');
    cards.push_back(std::move(card));
}

void writeMoc(const SkyRanges& ranges, const std::string& path, const MocWriteOptions& options,
              JobContext& job) {
    const int order = options.order < 0 ? orderOf(ranges) : options.order;
    if (order < orderOf(ranges) || order > kRangeOrder)
        throw InvalidArgument("expected an order from " + std::to_string(orderOf(ranges)) +
                              " to 29 for this MOC, found " + std::to_string(order));
    if (path.ends_with(".txt"))
        return writeFileAtomically(path, asciiOf(ranges, order, job), options.overwrite);
    if (path.ends_with(".json"))
        return writeFileAtomically(path, jsonOf(ranges, order, job), options.overwrite);
    std::vector<int64_t> numbers;
    if (options.form == MocForm::Range) {
        for (const PixelRange& run : ranges) {
            numbers.push_back(run.begin);
            numbers.push_back(run.end);
        }
    } else {
        for (const SkyCell& cell : cellsOf(ranges))
            numbers.push_back((int64_t{4} << (2 * cell.order)) + cell.pixel);
        std::sort(numbers.begin(), numbers.end());
    }
    FitsCards cards;
    cards.table(8, static_cast<int64_t>(numbers.size()), 1);
    cards.text("TTYPE1", options.form == MocForm::Range ? "RANGE" : "UNIQ");
    cards.text("TFORM1", "1K");
    cards.text("MOCVERS", "2.0");
    cards.text("MOCDIM", "SPACE");
    cards.text("ORDERING", options.form == MocForm::Range ? "RANGE" : "NUNIQ");
    cards.integer("MOCORD_S", order, "deepest order");
    cards.integer("MOCORDER", order, "deepest order, keyword of MOC 1");
    cards.text("COORDSYS", "C", "ICRS");
    cards.text("PIXTYPE", "HEALPIX");
    cards.date();
    for (const std::string& line : options.history) cards.commentary("HISTORY", line);
    std::vector<std::byte> bytes(8 * numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        putBigEndian(numbers[i], bytes.data() + 8 * i);
    }
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    writer.beginHdu(cards, static_cast<int64_t>(bytes.size()));
    writer.writeData(0, bytes);
    writer.endHdu();
    writer.commit(job);
}

}  // namespace armilla
