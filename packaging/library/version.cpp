// SPDX-License-Identifier: GPL-3.0-or-later
// The version of the shared library, as in its file name.
extern "C" const char* armillaVersion() {
    return ARMILLA_VERSION;
}
