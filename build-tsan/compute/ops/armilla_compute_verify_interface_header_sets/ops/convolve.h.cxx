#include <ops/convolve.h> // IWYU pragma: associated
