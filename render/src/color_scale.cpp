// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/color_scale.h"
