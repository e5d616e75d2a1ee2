# Tests which sources are compiled together (packaging/cmake/ArmillaUnity.cmake):
#     cmake -D SOURCE=... -D FOLDER=... -P check_unity.cmake
cmake_minimum_required(VERSION 3.25)
include(${SOURCE}/packaging/cmake/ArmillaUnity.cmake)

function(expect found expected what)
    if(NOT found STREQUAL expected)
        message(SEND_ERROR "${what}: expected '${expected}', found '${found}'")
    endif()
endfunction()

set(text "#include <a.h>
namespace n {
int shown(int);
namespace {

constexpr double kGap = 4.0, kEdge = 5.0;
constexpr int kOnes[] = {1, 2},
              kLate = 3;
const Color kLine(1, 2), kHalo(3);
const Text kWord = Literal(\"x\");
using Row = std::vector<int>;
static_assert(kLate == 3);

struct Part {
    int inner = 0;
};
template <class T>
T twice(const T& value, int times = 2) {
    const int local = times;
    return value * local;
}

}  // namespace
static int outer(int x) {
    return x;
}
int shown(int x) { return twice(x); }
namespace {
std::string lastOf(const Row& row) {
    return {};
}
[[noreturn]] void refuse() {
    throw 1;
}
}  // namespace
}  // namespace n
")
armilla_private_names("${text}" names)
expect("${names}" "outer;kGap;kEdge;kOnes;kLate;kLine;kHalo;kWord;Row;Part;twice;lastOf;refuse" "private names")

file(REMOVE_RECURSE ${FOLDER})
function(write name private public)
    file(WRITE ${FOLDER}/${name}.cpp
        "namespace n {\nnamespace {\n${private}\n}  // namespace\n// kOne in a comment\n${public}\n}  // namespace n\n")
endfunction()
write(one "constexpr int kOne = 1;" "int one() { return kOne; }")
write(same "constexpr int kOne = 2;" "int same() { return kOne; }")
write(user "" "int user() { return kOne; }")
write(apart "void check(const Apart& a) {}" "int apart() { return 3; }")
write(next "void check(const Next& a) {}" "int next() { return 4; }")
# The header that `user` includes defines another kOne. Overloads of `check` are apart by their types.
armilla_unity_groups(${FOLDER} 8 "" "" "one.cpp;same.cpp;user.cpp;apart.cpp;next.cpp" groups)
expect("${groups}" "1;2;3;1;2" "groups")
armilla_unity_groups(${FOLDER} 8 "check" "" "one.cpp;same.cpp;user.cpp;apart.cpp;next.cpp" groups)
expect("${groups}" "1;2;3;1;1" "groups with overloads")
armilla_unity_groups(${FOLDER} 1 "check" "" "apart.cpp;next.cpp" groups)
expect("${groups}" "1;2" "groups of one source")

file(WRITE ${FOLDER}/all.h "namespace n {\nint next();\nstd::vector<int> kOne(\n    int x);\nstruct Any {\n    int inner();\n};\n}\n")
armilla_declared_names(${FOLDER} declared)
expect("${declared}" "next;kOne" "declared names")
armilla_unity_groups(${FOLDER} 8 "check" "${declared}" "apart.cpp;one.cpp;next.cpp" groups)
expect("${groups}" "1;2;1" "groups with names of headers")
