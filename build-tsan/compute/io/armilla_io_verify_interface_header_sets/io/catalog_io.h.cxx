#include <io/catalog_io.h> // IWYU pragma: associated
