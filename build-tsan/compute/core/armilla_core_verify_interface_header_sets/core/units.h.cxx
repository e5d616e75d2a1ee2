#include <core/units.h> // IWYU pragma: associated
