#include <core/view_geometry.h> // IWYU pragma: associated
