// SPDX-License-Identifier: GPL-3.0-or-later
#include "operation_list.h"

namespace armilla {

std::vector<Operation> operationTable() {
    return {
        sampleOperation(),  smoothOperation(), filterOperation(),
        sourcesOperation(), maskOperation(),
    };
}

}  // namespace armilla
