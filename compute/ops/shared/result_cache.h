// SPDX-License-Identifier: GPL-3.0-or-later
// Results that are dear to compute, kept between runs in $XDG_CACHE_HOME/armilla.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace armilla {

// The `count` numbers stored under `name`; none if they are not there or not intact (length and
// checksum are compared). Never throws for a bad file: the cache is a convenience.
std::optional<std::vector<double>> readCached(const std::string& name, size_t count);
// Stores the numbers, complete or not at all (written beside the name, then renamed). A cache that
// cannot be written is left alone: the next run computes again.
void writeCached(const std::string& name, const std::vector<double>& values);
// The same of a text, which is checked by whoever reads it.
std::optional<std::string> readCachedText(const std::string& name);
void writeCachedText(const std::string& name, const std::string& text);
// Where `name` is, or would be; empty if there is no folder for it.
std::string cachePath(const std::string& name);

}  // namespace armilla
