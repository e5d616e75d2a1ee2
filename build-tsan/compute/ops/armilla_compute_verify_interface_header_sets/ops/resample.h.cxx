#include <ops/resample.h> // IWYU pragma: associated
