#include <session/session.h> // IWYU pragma: associated
