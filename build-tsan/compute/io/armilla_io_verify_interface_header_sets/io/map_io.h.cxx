#include <io/map_io.h> // IWYU pragma: associated
