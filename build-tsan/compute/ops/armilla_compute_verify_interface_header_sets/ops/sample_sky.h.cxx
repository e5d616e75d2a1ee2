#include <ops/sample_sky.h> // IWYU pragma: associated
