#include <render/image_renderer.h> // IWYU pragma: associated
