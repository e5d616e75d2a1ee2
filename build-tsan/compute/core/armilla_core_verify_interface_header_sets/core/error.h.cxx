#include <core/error.h> // IWYU pragma: associated
