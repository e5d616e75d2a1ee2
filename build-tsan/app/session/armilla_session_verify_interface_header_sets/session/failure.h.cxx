#include <session/failure.h> // IWYU pragma: associated
