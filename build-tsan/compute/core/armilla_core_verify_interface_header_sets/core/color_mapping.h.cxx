#include <core/color_mapping.h> // IWYU pragma: associated
