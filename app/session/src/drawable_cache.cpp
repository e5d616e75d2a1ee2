// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawable_cache.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace armilla {

namespace {

// A sixth of the machine's memory; the rest is for maps, results in progress and copies of the
// graphics driver.
int64_t defaultBudget() {
    return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 6;
}

}  // namespace

int64_t DrawableField::memoryBytes() const {
    const auto sample = static_cast<int64_t>(sortedSample.size() * sizeof(float));
    return sample + (pyramid ? pyramid->memoryBytes() : 0) + (cells ? cells->memoryBytes() : 0);
}

Frame DrawableField::frame() const {
    return pyramid ? pyramid->frame() : cells ? cells->frame() : Frame::Unknown;
}

DrawableCache::DrawableCache() : budget_(defaultBudget()) {}

std::shared_ptr<const DrawableField> DrawableCache::find(const Shown& shown) const {
    const auto found = items_.find(shown);
    return found == items_.end() ? nullptr : found->second.field;
}

void DrawableCache::insert(const Shown& shown, std::shared_ptr<const DrawableField> field) {
    items_[shown] = {std::move(field), ++clock_};
    trim();
}

void DrawableCache::removeIf(const std::function<bool(const Shown&)>& isGone) {
    std::erase_if(items_, [&](const auto& item) { return isGone(item.first); });
}

void DrawableCache::setBudget(int64_t bytes) {
    budget_ = bytes;
    trim();
}

int64_t DrawableCache::bytesOf(LayerId entry) const {
    int64_t bytes = 0;
    for (const auto& [shown, item] : items_)
        if (shown.entry == entry) bytes += item.field->memoryBytes();
    return bytes;
}

void DrawableCache::protect(std::vector<Shown> shown) {
    protected_ = std::move(shown);
    for (auto& [key, item] : items_)
        if (isProtected(key)) item.lastUse = ++clock_;
    trim();
}

bool DrawableCache::isProtected(const Shown& shown) const {
    return std::find(protected_.begin(), protected_.end(), shown) != protected_.end();
}

void DrawableCache::trim() {
    int64_t bytes = 0;
    for (const auto& [shown, item] : items_) bytes += item.field->memoryBytes();
    while (bytes > budget_) {
        auto oldest = items_.end();
        for (auto item = items_.begin(); item != items_.end(); ++item)
            if (!isProtected(item->first) &&
                (oldest == items_.end() || item->second.lastUse < oldest->second.lastUse))
                oldest = item;
        if (oldest == items_.end()) return;
        bytes -= oldest->second.field->memoryBytes();
        items_.erase(oldest);
    }
}

}  // namespace armilla
