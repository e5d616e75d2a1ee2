// SPDX-License-Identifier: GPL-3.0-or-later
// Empty: the target that precompiles the headers of all tests needs a source.
