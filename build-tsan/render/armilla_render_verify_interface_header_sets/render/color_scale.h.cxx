#include <render/color_scale.h> // IWYU pragma: associated
