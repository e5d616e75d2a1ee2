// SPDX-License-Identifier: GPL-3.0-or-later
// The id of a layer.
#pragma once

#include <QHash>
#include <QMetaType>
#include <compare>
#include <functional>

namespace armilla {

// Names a layer of a document, also after the layer is closed; no other layer of the document ever
// has the same id. A default-constructed id is invalid: it names no layer.
class LayerId {
public:
    constexpr LayerId() = default;
    // The id with this number of a session file, where valid ids begin at 1 and -1 is no layer.
    constexpr explicit LayerId(int number) : number_(number > 0 ? number : kNone) {}

    constexpr bool isValid() const { return number_ != kNone; }
    constexpr int number() const { return number_; }
    auto operator<=>(const LayerId&) const = default;  // NOLINT(modernize-use-nullptr)

private:
    static constexpr int kNone = -1;
    int number_ = kNone;
};

inline size_t qHash(LayerId id, size_t seed = 0) {
    return ::qHash(id.number(), seed);
}

}  // namespace armilla

template <>
struct std::hash<armilla::LayerId> {
    size_t operator()(armilla::LayerId id) const { return std::hash<int>()(id.number()); }
};

Q_DECLARE_METATYPE(armilla::LayerId)
