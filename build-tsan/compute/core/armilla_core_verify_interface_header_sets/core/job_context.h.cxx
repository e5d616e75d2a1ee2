#include <core/job_context.h> // IWYU pragma: associated
