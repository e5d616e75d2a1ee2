// SPDX-License-Identifier: GPL-3.0-or-later
// A map that exceeds the memory has a stand-in: a sample of its pixels, then means of all pixels. A
// long catalog is a sample of its rows until all are read. Tools name the stand-in that they work
// on, and refuse a sample.
#pragma once

#include <QString>

namespace armilla {

class HealpixMap;
struct Catalog;
struct Layer;

// Mark a value that was read from a file.
void markSample(HealpixMap& map);
void markSample(Catalog& catalog);
void markMeans(HealpixMap& map, qint64 nsideOfFile);

bool isSample(const HealpixMap& map);
bool isSample(const Catalog& catalog);
// True if the value of the layer is a sample.
bool holdsSample(const Layer& layer);
// "means at nside 2048 of 16384" or "a sample"; empty for any other layer, also for results.
QString standInText(const Layer& layer);
// The reason why tools refuse this layer; empty if they take it.
QString sampleProblem(const Layer& layer);

}  // namespace armilla
