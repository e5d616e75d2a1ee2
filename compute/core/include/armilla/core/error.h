// SPDX-License-Identifier: GPL-3.0-or-later
// The program's hierarchy of errors. A message states the expected and the found value.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

// The category of an error, for callers that react by category.
enum class ErrorCode { InvalidArgument, Io, OutOfMemory, Device, Unsupported, Internal };

// The place in the source that raised an error. The defaults are compiler built-ins that GCC 12,
// Clang 14 and nvcc all accept; Clang 14 lacks std::source_location.
struct SourceLocation {
    const char* file = "";
    int line = 0;
    static constexpr SourceLocation here(const char* file = __builtin_FILE(),
                                         int line = __builtin_LINE()) {
        return {file, line};
    }
};

// Root of all failures except cancellation. `what()` is the one line that the user sees: the
// context chain, outermost first, then the message, joined by ": ".
class Error : public std::exception {
public:
    Error(ErrorCode code, std::string message, SourceLocation where = SourceLocation::here());
    const char* what() const noexcept override { return line_.c_str(); }
    ErrorCode code() const noexcept { return code_; }
    const std::string& message() const noexcept { return message_; }
    const SourceLocation& where() const noexcept { return where_; }
    const std::vector<std::string>& context() const noexcept { return context_; }
    // Puts `context` (an operation, a file and HDU, a shape) before the present context.
    void addContext(std::string context);

private:
    void rebuild();
    ErrorCode code_;
    std::string message_;
    SourceLocation where_;
    std::vector<std::string> context_;
    std::string line_;
};

// An argument, option or statement of the user is invalid.
class InvalidArgument : public Error {
public:
    explicit InvalidArgument(std::string message, SourceLocation where = SourceLocation::here())
        : Error(ErrorCode::InvalidArgument, std::move(message), where) {}
};
// A file cannot be read or written, or its content is invalid.
class IoError : public Error {
public:
    explicit IoError(std::string message, SourceLocation where = SourceLocation::here())
        : Error(ErrorCode::Io, std::move(message), where) {}
};
// Host or device memory is too small.
class OutOfMemory : public Error {
public:
    explicit OutOfMemory(std::string message, SourceLocation where = SourceLocation::here())
        : Error(ErrorCode::OutOfMemory, std::move(message), where) {}
};
// A CUDA or OpenGL call failed.
class DeviceError : public Error {
public:
    explicit DeviceError(std::string message, SourceLocation where = SourceLocation::here())
        : Error(ErrorCode::Device, std::move(message), where) {}
};
// A valid request that this build, machine or method cannot fulfill.
class Unsupported : public Error {
public:
    explicit Unsupported(std::string message, SourceLocation where = SourceLocation::here())
        : Error(ErrorCode::Unsupported, std::move(message), where) {}
};
// A broken internal invariant; raised by ARMILLA_ASSERT only.
class InternalError : public Error {
public:
    explicit InternalError(std::string message, SourceLocation where = SourceLocation::here())
        : Error(ErrorCode::Internal, std::move(message), where) {}
};

// The user stopped the job. Not an Error, because nothing failed.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

// Throws InternalError with the expression and its location.
[[noreturn]] void assertionFailed(const char* expression, SourceLocation where);

}  // namespace armilla

// Active in every build that the tests run, release included: the checks are outside inner loops.
#define ARMILLA_ASSERT(expression)       \
    ((expression) ? static_cast<void>(0) \
                  : ::armilla::assertionFailed(#expression, ::armilla::SourceLocation::here()))
