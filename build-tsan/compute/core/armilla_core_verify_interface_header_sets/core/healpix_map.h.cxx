#include <core/healpix_map.h> // IWYU pragma: associated
