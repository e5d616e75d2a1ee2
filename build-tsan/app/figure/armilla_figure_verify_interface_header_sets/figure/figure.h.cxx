#include <figure/figure.h> // IWYU pragma: associated
