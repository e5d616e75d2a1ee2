// SPDX-License-Identifier: GPL-3.0-or-later
// Fields prepared for drawing, within a memory budget.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "armilla/session/layer_drawings.h"

namespace armilla {

// Keeps the protected (shown) drawables, and the most recently used unprotected ones within the
// budget.
class DrawableCache {
public:
    DrawableCache();
    std::shared_ptr<const DrawableField> find(const Shown& shown) const;
    void insert(const Shown& shown, std::shared_ptr<const DrawableField> field);
    void removeIf(const std::function<bool(const Shown&)>& isGone);
    void setBudget(int64_t bytes);
    // Bytes of all fields of one layer.
    int64_t bytesOf(LayerId entry) const;
    void protect(std::vector<Shown> shown);

private:
    struct Item {
        std::shared_ptr<const DrawableField> field;
        uint64_t lastUse = 0;
    };
    bool isProtected(const Shown& shown) const;
    void trim();
    std::map<Shown, Item> items_;
    std::vector<Shown> protected_;
    int64_t budget_;
    uint64_t clock_ = 0;
};

}  // namespace armilla
