#include <render/graticule.h> // IWYU pragma: associated
