#include <core/map_statistics.h> // IWYU pragma: associated
