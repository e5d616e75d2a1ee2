#include <session/job_runner.h> // IWYU pragma: associated
