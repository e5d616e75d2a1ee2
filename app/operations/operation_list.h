// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the table of operations: one function each, defined in the file of the operation.
#pragma once

#include <vector>

#include "armilla/operations/operation.h"

namespace armilla {

Operation almOperation();
Operation alm2mapOperation();
Operation anafastOperation();
Operation calcOperation();
Operation convertOperation();
Operation correlateOperation();
Operation correlateMapsOperation();
Operation countOperation();
Operation filterOperation();
Operation lookupOperation();
Operation map2almOperation();
Operation gridOperation();
Operation maskOperation();
Operation matchOperation();
Operation mocOperation();
Operation projectOperation();
Operation removeOperation();
Operation sampleOperation();
Operation selectOperation();
Operation smoothOperation();
Operation sourcesOperation();
Operation statsOperation();
Operation synfastOperation();

std::vector<Operation> operationTable();

}  // namespace armilla
