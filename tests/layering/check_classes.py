#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds classes with more public functions than a reader can hold: more than 25.

A function counts once for each declaration in a public section, static functions and slots included.
Constructors, destructors, operators, overridden functions of a base, deleted functions and signals do not
count. Data of structs does not count either. Exit status 1 and one line for each class; `--list` prints the
classes with the most functions, `--self-test` checks the counts of a header.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["app", "compute", "draw", "render", "ui"]
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
MOST = 25
# Classes that still have more, with the number that they may not exceed. A class leaves the list once it is split.
EXEMPT = {
    "CudaRingTransform::Plan": 48,  # steps of one transform on a device, private to its folder
    "Kernel": 29,  # constructors of each profile by name
}

HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*(?:\\\n(?:[^\n\\]|\\.)*)*", re.MULTILINE)
HEAD = re.compile(r"(?:^|\s)(class|struct) +(?:[A-Z_]+(?:\([^)]*\))? +)?(?:alignas\([^)]*\) +)?(\w+(?:::\w+)*)(?:\s+final)?\s*(?::[^:].*)?$",
                  re.DOTALL)
ACCESS = re.compile(r"^\s*(public slots|private slots|protected slots|public|private|protected|signals|Q_SIGNALS)\s*:(?!:)")
MACRO = re.compile(r"^\s*Q_[A-Z_]+(?:\([^)]*\))?\s*")
OTHER = re.compile(r"\s*(?:using|friend|typedef|static_assert|enum|class|struct|union)\b")


def without_arguments(text):
    """The text without the arguments of templates, so that a type such as std::function<void(int)> holds no parenthesis."""
    while True:
        shorter = re.sub(r"(?<=\w)\s*<[^<>;{}]*>", "", text)
        if shorter == text:
            return text
        text = shorter


def is_counted(declaration, name):
    text = re.sub(r"\[\[[^\]]*\]\]", "", declaration)
    text = re.sub(r"^\s*template\s*", "", without_arguments(re.sub(r"^\s*template\b", "template", text)))
    if OTHER.match(text) or "(" not in text or "operator" in text:
        return False
    before = text[:text.index("(")]
    if "=" in before or "{" in before:
        return False  # a member with a value
    if re.search(r"\)\s*(?:const)?\s*(?:noexcept)?\s*(?:override|final)\b", text) or re.search(r"=\s*delete\s*$", text):
        return False
    called = re.search(r"(~?\w+)\s*$", before)
    return bool(called) and called.group(1).lstrip("~") != name.split("::")[-1]


def classes_in(text):
    """(name, line number, public functions) of each class and struct of a source."""
    blank = lambda match: " " + "\n" * match.group().count("\n")
    text = DIRECTIVE.sub(blank, HIDDEN.sub(blank, text))
    found = []
    scopes = []  # [class or None, access, start of the statement]
    start = 0
    for at, sign in enumerate(text):
        if sign not in "{};:":
            continue
        scope = scopes[-1] if scopes else None
        statement = text[start:at]
        if sign == ":":
            # An access label ends where its colon is.
            label = ACCESS.match(MACRO.sub("", text[start:at + 1])) if scope and scope[0] is not None else None
            if label and text[at + 1:at + 2] != ":":
                scope[1] = label.group(1)
                start = at + 1
            continue
        if sign == "{":
            head = HEAD.search(statement) if "(" not in re.sub(r"\([^()]*\)", "", statement) else None
            is_type = head and not re.search(r"\benum\s+(?:class|struct)\b", statement) and "=" not in re.sub(r"<[^{}]*>", "", statement)
            if is_type:
                found.append([head.group(2), text.count("\n", 0, start + head.start(1)) + 1, 0])
                scopes.append([len(found) - 1, "public" if head.group(1) == "struct" else "private", None])
                start = at + 1
                continue
            scopes.append([None, "", start])
            if scope is None or scope[0] is None:
                start = at + 1
            continue
        if sign == "}":
            if not scopes:
                continue
            closed = scopes.pop()
            outer = scopes[-1] if scopes else None
            if closed[0] is not None or outer is None or outer[0] is None:
                start = at + 1
                continue
            # A body or the value of a member: a body ends its function.
            head = text[closed[2]:text.index("{", closed[2])]
            if "(" in without_arguments(head) or OTHER.match(MACRO.sub("", head)):
                if outer[1] in ("public", "public slots") and is_counted(MACRO.sub("", head), found[outer[0]][0]):
                    found[outer[0]][2] += 1
                start = at + 1
            continue
        if scope and scope[0] is not None:
            if scope[1] in ("public", "public slots") and is_counted(MACRO.sub("", statement), found[scope[0]][0]):
                found[scope[0]][2] += 1
        if scope is None or scope[0] is not None or scope[2] is not None:
            start = at + 1
    return found


def all_classes(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES:
                for name, line, functions in classes_in(path.read_text()):
                    yield functions, name, f"{path.relative_to(root)}:{line}"


def self_test():
    counts = classes_in("""
namespace n {
class Other;
template <class T> class Box { public: T get() const { return T{}; } };
// class Comment { public: void f(); };
class ARMILLA_EXPORT Thing : public QObject, private Base<int> {
    Q_OBJECT
public:
    explicit Thing(int a = f(1), QObject* parent = nullptr) : QObject(parent), a_{2} { start(); }
    ~Thing() override;
    Thing(const Thing&) = delete;
    bool operator==(const Thing&) const = default;
    enum Kind { A, B };
    struct Part {
        int at = 0;
        std::function<void(int)> act;
        int size() const { if (at) { return at; } return 2; }
        void clear();
    };
    int one() const;
    const std::map<int, std::vector<double>>& two() const { return two_; }
    static std::optional<int> three(
        std::function<void(const QString&)> act);
    [[nodiscard]] virtual bool four() = 0;
    template <class Value>
    Value five(Value value) const;
    std::function<int(int)> data;
    std::vector<int> more{f(1), 2};
    QSize sizeHint() const override;
public slots:
    void six(const QString& text = {});
signals:
    void changed();
private:
    void hidden();
    int a_ = g(2);
};
void outside() { struct Local { int a() { return 1; } }; }
struct Values {
    double x = 0.0, y = 0.0;
    Vec3 place{1.0, 0.0};
    double length() const;
};
}
""")
    assert [(name, functions) for name, _, functions in counts] == [
        ("Box", 1), ("Thing", 6), ("Part", 2), ("Local", 1), ("Values", 1)], counts
    assert counts[1][1] == 6, counts


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    found = sorted(all_classes(ROOT), reverse=True)
    if sys.argv[1:] == ["--list"]:
        for functions, name, place in found[:20]:
            print(f"{functions:4} {name} ({place})")
        sys.exit(0)
    offences = [each for each in found if each[0] > EXEMPT.get(each[1], MOST)]
    for functions, name, place in offences:
        print(f"{place}: expected at most {EXEMPT.get(name, MOST)} public functions of {name}, found {functions}: split it into parts")
    for name in EXEMPT.keys() - {name for functions, name, _ in found if functions > MOST}:
        print(f"{name}: expected more than {MOST} public functions of an exempt class, found fewer: remove the exemption")
        offences.append(name)
    sys.exit(1 if offences else 0)
