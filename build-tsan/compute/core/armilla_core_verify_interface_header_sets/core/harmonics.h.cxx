#include <core/harmonics.h> // IWYU pragma: associated
