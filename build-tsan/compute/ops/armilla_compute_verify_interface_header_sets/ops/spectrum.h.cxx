#include <ops/spectrum.h> // IWYU pragma: associated
