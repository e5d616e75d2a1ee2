#include <render/camera.h> // IWYU pragma: associated
