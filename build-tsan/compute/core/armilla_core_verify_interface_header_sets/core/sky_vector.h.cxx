#include <core/sky_vector.h> // IWYU pragma: associated
