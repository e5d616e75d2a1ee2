#include <ops/device.h> // IWYU pragma: associated
