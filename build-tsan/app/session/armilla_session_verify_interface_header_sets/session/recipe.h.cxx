#include <session/recipe.h> // IWYU pragma: associated
