#include <render/map_pyramid.h> // IWYU pragma: associated
