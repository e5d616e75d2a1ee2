// SPDX-License-Identifier: GPL-3.0-or-later
// Expensive results, kept between runs in Environment::cacheFolder.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace armilla {

// The `count` numbers stored under `name`; none if absent or damaged (length and checksum are
// compared). Never throws for a bad file, because the cache is optional.
std::optional<std::vector<double>> readCached(const std::string& name, size_t count);
// Stores the numbers completely or not at all (written to a temporary file, then renamed). Ignores
// failures: the next run computes again.
void writeCached(const std::string& name, const std::vector<double>& values);
// The text stored under `name`; the caller must validate it.
std::optional<std::string> readCachedText(const std::string& name);
void writeCachedText(const std::string& name, const std::string& text);
// The path of `name`, existing or not; empty if there is no cache folder.
std::string cachePath(const std::string& name);

}  // namespace armilla
