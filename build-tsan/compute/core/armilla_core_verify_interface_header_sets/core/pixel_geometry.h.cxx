#include <core/pixel_geometry.h> // IWYU pragma: associated
