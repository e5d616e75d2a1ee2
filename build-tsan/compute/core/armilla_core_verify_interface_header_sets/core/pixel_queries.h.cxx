#include <core/pixel_queries.h> // IWYU pragma: associated
