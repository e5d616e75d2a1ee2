#include <io/harmonic_io.h> // IWYU pragma: associated
