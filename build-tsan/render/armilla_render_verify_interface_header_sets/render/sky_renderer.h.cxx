#include <render/sky_renderer.h> // IWYU pragma: associated
