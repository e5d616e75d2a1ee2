#include <io/atomic_file.h> // IWYU pragma: associated
