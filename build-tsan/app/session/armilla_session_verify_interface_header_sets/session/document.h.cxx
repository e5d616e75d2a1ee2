#include <session/document.h> // IWYU pragma: associated
