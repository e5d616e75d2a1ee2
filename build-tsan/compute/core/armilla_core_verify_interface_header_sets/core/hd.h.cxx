#include <core/hd.h> // IWYU pragma: associated
