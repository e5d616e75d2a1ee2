// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of transforms partitioned among several devices.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sht/plan/sht_backend.h"

namespace armilla {

using MakeBackend = std::function<std::unique_ptr<ShtBackend>()>;

// `oneMap` (or `first` without it) transforms single maps, single fields of a spin, and several
// fields of different spins. In a batch each device takes some maps as soon as it is free, in a
// separate thread. The backends of the other devices are constructed there by `others` with the
// first batch. A device's result for a map does not depend on the other devices, so devices of one
// kind give the same bits in every run. A failure of one device ends the batch.
std::unique_ptr<ShtBackend> makeSharedBackend(std::unique_ptr<ShtBackend> first,
                                              std::vector<MakeBackend> others,
                                              std::unique_ptr<ShtBackend> oneMap = nullptr);

}  // namespace armilla
