// SPDX-License-Identifier: GPL-3.0-or-later
#include "operation_list.h"

namespace armilla {

std::vector<Operation> operationTable() {
    return {
        // One entry per line, so that additions do not conflict. clang-format off
        convertOperation(), projectOperation(), map2almOperation(),   alm2mapOperation(),
        anafastOperation(), synfastOperation(), smoothOperation(),    filterOperation(),
        sourcesOperation(), matchOperation(),   removeOperation(),    statsOperation(),
        maskOperation(),    mocOperation(),     correlateOperation(), correlateMapsOperation(),
        calcOperation(),    lookupOperation(),  selectOperation(),    countOperation(),
        gridOperation(),    sampleOperation(),  almOperation(),
        // clang-format on
    };
}

}  // namespace armilla
