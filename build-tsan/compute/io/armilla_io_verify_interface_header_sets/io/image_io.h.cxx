#include <io/image_io.h> // IWYU pragma: associated
