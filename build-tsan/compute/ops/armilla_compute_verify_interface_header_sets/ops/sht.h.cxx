#include <ops/sht.h> // IWYU pragma: associated
