// SPDX-License-Identifier: GPL-3.0-or-later
// Memory use by owner, and memory freed when a layer is closed.
#include <algorithm>
#include <functional>
#include <vector>

#include "session_state.h"

namespace armilla {

namespace {

// "1.6 GB": three digits at most, decimal units.
QString bytesText(int64_t bytes) {
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000.0;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(value, 0, 'f', decimals).arg(QLatin1String(units[unit]));
}

}  // namespace

int64_t MemoryLedger::host() const {
    int64_t bytes = plans + undo.bytes;
    for (const Row& row : rows) bytes += row.values + row.picture;
    return bytes;
}

int64_t MemoryLedger::device() const {
    int64_t bytes = 0;
    for (const Row& row : rows) bytes += row.device;
    return bytes;
}

QStringList MemoryLedger::lines() const {
    // Only the largest rows, in list order: a thousand lines do not fit a tool tip.
    constexpr size_t kMostLines = 20;
    const auto bytesOf = [](const Row& row) { return row.values + row.picture + row.device; };
    int64_t least = 0;
    if (rows.size() > kMostLines) {
        std::vector<int64_t> bytes;
        for (const Row& row : rows) bytes.push_back(bytesOf(row));
        std::nth_element(bytes.begin(), bytes.begin() + kMostLines, bytes.end(), std::greater());
        least = bytes[kMostLines] + 1;
    }
    QStringList lines;
    int others = 0;
    int64_t ofOthers = 0;
    for (const Row& row : rows) {
        if (bytesOf(row) < least) {
            ++others;
            ofOthers += bytesOf(row);
            continue;
        }
        QString line = Session::tr("%1: %2").arg(row.name, bytesText(row.values));
        if (row.picture > 0) line += Session::tr(", ready to draw %1").arg(bytesText(row.picture));
        if (row.device > 0) line += Session::tr(", on the device %1").arg(bytesText(row.device));
        lines << line;
    }
    if (others > 0)
        lines << Session::tr("%n other layer(s): %1", nullptr, others).arg(bytesText(ofOthers));
    lines << Session::tr("Plans of live smoothing: %1").arg(bytesText(plans));
    QString held =
        Session::tr("Undo: %1 of at most %2").arg(bytesText(undo.bytes), bytesText(undo.budget));
    if (undo.recipes > 0)
        held += Session::tr(", and %n closed layer(s) as recipe(s)", nullptr, undo.recipes);
    lines << held;
    lines << (device() > 0 ? Session::tr("Together: %1, on the device %2")
                                 .arg(bytesText(host()), bytesText(device()))
                           : Session::tr("Together: %1").arg(bytesText(host())));
    return lines;
}

MemoryLedger Session::memoryLedger(const std::map<int, int64_t>& deviceBytes) const {
    MemoryLedger ledger;
    for (const Layer& layer : state_->document.entries()) {
        MemoryLedger::Row row;
        row.layer = layer.id;
        row.name = layer.name;
        row.values = factsOf(layer.kind()).memoryBytes(layer);
        row.picture = state_->document.pictureBytes(layer.id);
        if (const auto found = deviceBytes.find(layer.id); found != deviceBytes.end())
            row.device = found->second;
        ledger.rows.push_back(row);
    }
    ledger.plans = state_->planCache->memoryBytes() + state_->coarsePlanCache->memoryBytes() +
                   state_->regionPlanCache->memoryBytes() + state_->filterShop->memoryBytes();
    ledger.undo = state_->document.undoMemory();
    return ledger;
}

void Session::State::releasePlans() {
    std::set<const void*> maps;
    for (const Layer& layer : document.entries())
        if (layer.map) maps.insert(layer.map.get());
    planCache->releaseUnless(maps);
    coarsePlanCache->releaseUnless(maps);
    regionPlanCache->releaseUnless(maps);
    filterShop->releaseUnless(maps);
}

}  // namespace armilla
