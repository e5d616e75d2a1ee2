// SPDX-License-Identifier: GPL-3.0-or-later
// The `armilla` command.
#include "cli/application.h"

int main(int argc, char** argv) {
    return armilla::cli::runApplication(argc, argv);
}
