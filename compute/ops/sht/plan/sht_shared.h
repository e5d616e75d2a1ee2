// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of transforms shared among several devices.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sht/plan/sht_backend.h"

namespace armilla {

using MakeBackend = std::function<std::unique_ptr<ShtBackend>()>;

// One map, one field of a spin, or several fields of different spins are the affair of `oneMap`, or
// of `first` without it. Of a batch each device takes some maps as soon as it is free, in a thread
// of its own; the backends of the others, by `others`, are made there with the first batch. What a
// device does with a map does not depend on who takes the next one, so equal devices give the same
// bits in every run. A failure of one ends the batch.
std::unique_ptr<ShtBackend> makeSharedBackend(std::unique_ptr<ShtBackend> first,
                                              std::vector<MakeBackend> others,
                                              std::unique_ptr<ShtBackend> oneMap = nullptr);

}  // namespace armilla
