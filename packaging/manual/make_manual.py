#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the manual: runs the examples of its pages, writes a page for each command, and calls Sphinx.

The pages are Markdown files of resources/help and resources/notes. Two kinds of fenced blocks are replaced:

- ```{file} NAME writes its text to a file of the page's scratch folder, and shows it.
- ```{armilla} runs its lines with bash in the scratch folder, and shows them with their output. Lines that
  begin with a colon set options. `:picture: FILE TEXT` shows a picture that the lines made, with TEXT as its caption.
  `:lines: N` shows the first N lines of an output, `:status: N` expects that exit status, and `:hide:` shows
  the pictures alone.

An example that fails ends the build with its output. `--examples` runs the examples without Sphinx. `--check` only tests
that each command and each option that a page names is in the help of the program, and each menu path in the window.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "resources/help"
NOTES = ROOT / "resources/notes"
FENCE = re.compile(r"^```\{(?P<kind>file|armilla)\}[ ]*(?P<name>[^\n]*)\n(?P<body>.*?)^```\n", re.M | re.S)
LINK = re.compile(r"(?P<open>!?\[(?P<text>[^\]]*)\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
OPTION_LINE = re.compile(r":([a-z]+):\s*(.*)")
OPTION = re.compile(r"--[a-z][a-z0-9-]*")
# A path through the menus of the window, such as **File > Open**.
MENU_PATH = re.compile(r"\*\*([A-Z][^*>]* > [^*]+)\*\*")
# Options of the program itself and of other programs that pages name alone, without a command.
OTHER_OPTIONS = {
    "--help", "--version", "--man", "--completion",
    "--oversubscribe", "--bind-to", "--map-by", "--mpi", "--cpus-per-task", "--ntasks-per-node", "--nodes", "--mem",
    "--kill-on-bad-exit", "--gpus-per-task", "--target", "--preset",
}


class Failure(Exception):
    """A line for the person who builds the manual."""


class Program:
    """The command of the build, and the text of its help."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.path = self.folder / "armilla"
        if not self.path.exists():
            raise Failure(f"{self.path}: expected the program, found no file; build it first")
        self.summaries = dict(self._summaries())
        self.helps = {name: self._help(name) for name in self.summaries}
        self.manuals = manuals_in(self._help("--man"))

    def _help(self, *names):
        return subprocess.run([self.path, "help", *names], check=True, capture_output=True, text=True).stdout

    def _summaries(self):
        block = self._help().split("Commands:\n")[1].split("\n\n")[0]
        for entry in re.split(r"\n(?=  \S)", block):
            name, _, text = entry.strip().partition(" ")
            yield name, " ".join(text.split())

    def options(self, name):
        """Names of the options of a command, and those that their help lines name."""
        return set(OPTION.findall(self.helps[name]))


def manuals_in(page):
    """The usage and the paragraphs about each command, from the manual page in roff."""
    found = {}
    for part in re.split(r"^\.SS ", page.split("\n.SH COMMON OPTIONS")[0], flags=re.M)[1:]:
        plain = re.sub(r"\\f[A-Z]|\\&", "", part).replace("\\-", "-")
        usage, _, text = plain.partition("\n")
        description = re.search(r"^\.PP\n(.*?)(?=^\.|\Z)", text, re.M | re.S)
        paragraphs = re.split(r"\n\s*\n", description[1].strip()) if description else []
        found[usage.split()[0]] = usage, paragraphs
    return found


def entries(lines):
    """(head, text) of a section of the help: heads begin in column 2, their text in column 34 or on the next line."""
    found = []
    for line in lines:
        if line.startswith("  ") and not line.startswith("   "):
            if len(line) > 33 and line[32:34] == "  " or len(line) > 34 and line[33] == " ":
                found.append([line[2:33].strip(), line[34:].strip()])
            else:
                found.append([line.strip(), ""])
        elif found and line.strip():
            found[-1][1] += " " + line.strip()
    return [(head, text.strip()) for head, text in found]


def sections(text):
    """Parts of the help of a command: its beginning under the name "", and each part under its heading."""
    parts, name = {"": []}, ""
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][a-z ]+:", line):
            name = line[:-1]
            parts[name] = []
        else:
            parts[name].append(line)
    return parts


def literal(text):
    """Code in a cell of a table. A zero-width space lets a list of values break."""
    return "`" + text.replace("|", "\\|\u200b") + "`"


def table(title, head, lines):
    rows = [f"| {literal(head.removesuffix(' REQUIRED'))} | {'required: ' if head.endswith(' REQUIRED') else ''}"
            f"{escaped(text)} |" for head, text in entries(lines)]
    return "\n".join([f"## {title}", "", f"| {head} | meaning |", "|---|---|", *rows, ""])


def escaped(text):
    """The words of a help line: options as code, and characters protected that have a meaning in Markdown."""
    return "".join(f"`{part}`" if index % 2 else re.sub(r"([\\`*_<>|\[\]$~#])", r"\\\1", part)
                   for index, part in enumerate(re.split(r"(?<![\w-])(--[a-z][a-z0-9-]*)", text)))


def command_page(program, name, uses):
    parts = sections(program.helps[name])
    usage, paragraphs = program.manuals[name]
    page = [f"# armilla {name}", "", escaped(program.summaries[name][:1].upper() + program.summaries[name][1:]) + ".", "",
            "```text", f"armilla {usage} [OPTIONS]", "```", ""]
    options = [line for line in parts.get("Options", []) if "--help" not in line]
    if parts.get("Positionals"):
        page.append(table("Files and arguments", "argument", parts["Positionals"]))
    if options:
        page.append(table("Options", "option", options))
    page.append("The [common options](common.md) apply as well.\n")
    if paragraphs:
        page += ["## Description", ""] + [line for text in paragraphs for line in (escaped(text), "")]
    if uses:
        page += ["## Pages with examples", ""] + [f"- [{title}](../{path})" for path, title in uses] + [""]
    return "\n".join(page)


def write_command_pages(program, folder, uses):
    folder.mkdir(parents=True)
    rows = []
    for name, summary in program.summaries.items():
        (folder / f"{name}.md").write_text(command_page(program, name, uses.get(name, [])))
        rows.append(f"| [{name}]({name}.md) | {escaped(summary)} |")
    common = sections(program.helps["convert"])["Common options"]
    (folder / "common.md").write_text("# Common options\n\nEvery command takes these options.\n\n" + table("Options", "option", common))
    names = "\n".join(program.summaries)
    (folder / "index.md").write_text(
        "# Commands\n\nThese pages are made from the descriptions of the program; `armilla help COMMAND` prints the same.\n\n"
        "| command | does |\n|---|---|\n" + "\n".join(rows) +
        "\n\n```{toctree}\n:hidden:\n\ncommon\n" + names + "\n```\n")


def logical_lines(text):
    """Lines of a shell, with continued ones joined."""
    return [line for line in re.sub(r"\\\n\s*", " ", text).splitlines() if line.strip()]


class Page:
    """One page: its text in the sources, and its place among the pages for Sphinx."""

    def __init__(self, source, place):
        self.source, self.place = source, place
        self.text = source.read_text()
        self.title = re.search(r"^# (.*)$", self.text, re.M)[1]

    def commands_used(self):
        return set(re.findall(r"\barmilla ([a-z][a-z0-9-]*)", "\n".join(code_of(self.text))))


def code_of(text):
    """Texts of a page that a reader may type: indented blocks, fenced blocks and words between backticks."""
    found = [body for body in re.findall(r"^```[^\n]*\n(.*?)^```", text, re.M | re.S)]
    text = re.sub(r"^```[^\n]*\n.*?^```", "", text, flags=re.M | re.S)
    found += re.findall(r"(?:^(?: {4}|\t).*\n)+", text, re.M)
    return found + [" ".join(each.split()) for each in re.findall(r"`([^`]+)`", text)]


def pages():
    found = [Page(path, path.relative_to(PAGES)) for path in sorted(PAGES.rglob("*.md"))]
    return found + [Page(path, pathlib.Path("notes") / path.name) for path in sorted(NOTES.glob("*.md"))]


class Stage:
    """The folder from which Sphinx builds, made anew."""

    def __init__(self, program, out):
        self.program, self.source, self.scratch = program, out / "source", out / "scratch"
        for folder in (self.source, self.scratch, out / "html"):
            shutil.rmtree(folder, ignore_errors=True)
        (self.source / "pictures").mkdir(parents=True)
        self.pages = pages()
        self.places = {page.source: page.place for page in self.pages}

    def environment(self):
        home = self.scratch / "home"
        home.mkdir(parents=True, exist_ok=True)
        return {"PATH": f"{self.program.folder}:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "TMPDIR": str(home),
                "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CACHE_HOME": str(home),
                "XDG_RUNTIME_DIR": str(home), "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "*=false",
                # Pages are the same on machines with and without a GPU, and pictures in each build.
                "CUDA_VISIBLE_DEVICES": "", "SOURCE_DATE_EPOCH": "0"}

    def write(self, page):
        target = self.source / page.place
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = self.scratch / page.place.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        text = self.linked(page, page.text)
        text = FENCE.sub(lambda found: self.replaced(page, folder, found), text)
        target.write_text(text)

    def linked(self, page, text):
        """The text with the targets of its links as they lie in the stage; pictures are copied there."""
        def replace(found):
            if re.match(r"[a-z]+:", found["target"]):
                return found[0]
            path = (page.source.parent / found["target"]).resolve()
            depth = "../" * (len(page.place.parts) - 1)
            if path in self.places:
                return f"{found['open']}{depth}{self.places[path]}{found['anchor'] or ''})"
            if found["open"].startswith("!"):
                picture = path if path.exists() else self.program.folder.parent / "share/armilla/help" / path.name
                if not picture.exists():
                    raise Failure(f"{page.source}: expected a picture {found['target']}, found no file")
                shutil.copy(picture, self.source / "pictures" / picture.name)
                return f"{found['open']}{depth}pictures/{picture.name})"
            if path.is_relative_to(self.source.parent) or found["target"].startswith("commands/") or "/commands/" in found["target"]:
                return found[0]
            if not path.exists():
                raise Failure(f"{page.source}: expected a page or a file {found['target']}, found none")
            return found["text"]
        return "".join(part if index % 2 else LINK.sub(replace, part)
                       for index, part in enumerate(re.split(r"(^```.*?^```\n)", text, flags=re.M | re.S)))

    def replaced(self, page, folder, found):
        if found["kind"] == "file":
            (folder / found["name"]).write_text(found["body"])
            language = {".py": "python", ".csv": "text"}.get(pathlib.PurePath(found["name"]).suffix, "text")
            return f"File `{found['name']}`:\n\n```{language}\n{found['body']}```\n"
        lines = found["body"].splitlines()
        options = [match.groups() for line in lines if (match := OPTION_LINE.fullmatch(line))]
        lines = [line for line in lines if not OPTION_LINE.fullmatch(line)]
        chosen = dict(options)
        shown = []
        for command in re.split(r"(?<!\\)\n", "\n".join(lines)):
            output = self.run(page, folder, command, int(chosen.get("status", 0)))
            if "lines" in chosen:
                kept = output.splitlines()
                count = int(chosen["lines"])
                output = "\n".join(kept[:count]) + ("\n...\n" if len(kept) > count else "\n")
            shown.append(f"$ {command}\n{output}")
        text = "" if "hide" in chosen else "```console\n" + "".join(shown) + "```\n"
        for name, value in options:
            if name == "picture":
                text += self.picture(page, folder, *value.partition(" ")[::2])
        return text

    def run(self, page, folder, command, expected):
        result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=self.environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300)
        if result.returncode != expected:
            raise Failure(f"{page.source}: expected status {expected}, found {result.returncode}: {command}\n{result.stdout}")
        return re.sub(r"^.*propagateSizeHints.*\n|^QStandardPaths.*\n", "", result.stdout, flags=re.M)

    def picture(self, page, folder, file, text):
        if not (folder / file).exists():
            raise Failure(f"{page.source}: expected a picture {file}, which the example did not make")
        name = "-".join([*page.place.with_suffix("").parts, file])
        shutil.copy(folder / file, self.source / "pictures" / name)
        depth = "../" * (len(page.place.parts) - 1)
        # JSON is a quoted text of YAML.
        return f"\n```{{figure}} {depth}pictures/{name}\n:alt: {json.dumps(text or file, ensure_ascii=False)}\n\n{text}\n```\n"


def check(program):
    """Lines for each command and option of the pages and of README.md that the program does not have."""
    known = OTHER_OPTIONS.union(*(program.options(name) for name in program.summaries))
    scripts = "\n".join(path.read_text() for path in [ROOT / "dev", ROOT / "app/gui_main.cpp"])
    # The window names its options in its source, without the two hyphens.
    known.update(OPTION.findall(scripts))
    known.update("--" + name for name in re.findall(r'QStringLiteral\("([a-z-]+)"\)', scripts))
    texts = menu_texts()
    for path in [ROOT / "README.md", *sorted(PAGES.rglob("*.md"))]:
        name = path.relative_to(ROOT)
        page = path.read_text()
        yield from (f"{name}: {problem}" for problem in problems_of_menus(page, texts))
        # An example that shows a usage error may name anything.
        text = FENCE.sub(lambda found: "" if ":status: 2" in found["body"] else found[0], page)
        for code in code_of(text):
            for line in logical_lines(code):
                yield from (f"{name}: {problem}" for problem in problems_of(line, program, known))


def menu_texts():
    """Texts of the window as a person reads them: without the mark of the key and without the ellipsis."""
    sources = "\n".join(path.read_text() for path in (ROOT / "ui").rglob("*.cpp"))
    return {text.replace("&", "").rstrip("…") for text in re.findall(r'\btr\("([^"\\]*)"\)', sources)}


def problems_of_menus(text, known):
    for path in MENU_PATH.findall(text):
        for name in " ".join(path.split()).split(" > "):
            if name not in known:
                yield f"expected a text of the window, found {name} in {path}"


def problems_of(line, program, known):
    """Problems of one command line, or of one word between backticks."""
    found = re.search(r"(?:^|[\s;|&])(?:\$ )?armilla(?P<rest> [^;|&]*)", line)
    if not found:
        for option in OPTION.findall(line):
            if option not in known:
                yield f"expected an option of a command, found {option}"
        return
    command = re.match(r" ([a-z][a-z0-9-]*)\b(?![./])", found["rest"])
    if not command or command[1] == "help":
        return
    if command[1] not in program.summaries:
        yield f"expected a command, found armilla {command[1]}"
        return
    # Texts in quotes may hold anything.
    for option in OPTION.findall(re.sub(r'"[^"]*"|\'[^\']*\'', "", found["rest"])):
        if option not in program.options(command[1]) | {"--help"}:
            yield f"expected an option of armilla {command[1]}, found {option}"


def self_test(program):
    """Each kind of problem is found, and the help of every command divides into its parts."""
    known = {"--fwhm"}
    for line in ["armilla smoth a.fits", "$ armilla smooth a.fits b.fits --fwmh 1deg", "--fwmh 1deg", "nice armilla info --fwhm 1deg"]:
        assert list(problems_of(line, program, known)), line
    for line in ["armilla smooth a.fits b.fits --fwhm 1deg", "armilla help", "armilla a.fits", "import armilla", "--fwhm 1deg",
                 'armilla calc "a --b" c.fits --let a=d.fits', "armilla info --help"]:
        assert not list(problems_of(line, program, known)), line
    assert code_of("a `b c` d\n\n    e\n    f\n\n```{armilla}\ng\n```\n") == ["g\n", "    e\n    f\n", "b c"]
    assert logical_lines("a \\\n  b\nc") == ["a  b", "c"]
    assert len(list(problems_of_menus("**File > Shut** and **File >\nOpen**", {"File", "Open"}))) == 1
    assert {"File", "Open", "Copy as command"} <= menu_texts()
    for name in program.summaries:
        assert program.manuals[name][0].split()[0] == name, name
        parts = sections(program.helps[name])
        for title in ("Positionals", "Options", "Common options"):
            for head, text in entries(parts.get(title, [])):
                assert text and "  " not in head, (name, head, text)


def uses_of(staged):
    uses = {}
    for page in staged:
        if page.place.parts[0] != "notes":
            for name in page.commands_used():
                uses.setdefault(name, []).append((page.place, page.title))
    return uses


def staged(program, out):
    """The pages for Sphinx, after a run of their examples."""
    stage = Stage(program, out)
    for page in stage.pages:
        print(f"manual: {page.place}", file=sys.stderr, flush=True)
        stage.write(page)
    return stage


def build(program, out):
    stage = staged(program, out)
    write_command_pages(program, stage.source / "commands", uses_of(stage.pages))
    shutil.copy(pathlib.Path(__file__).with_name("conf.py"), stage.source)
    shutil.copy(ROOT / "resources/icons/armilla.svg", stage.source / "pictures")
    shutil.copytree(pathlib.Path(__file__).with_name("static"), stage.source / "static")
    version = re.search(r"project\(Armilla VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    # -n and -W: a link without a target ends the build.
    subprocess.run(["sphinx-build", "-q", "-n", "-W", "--keep-going", "-b", "html", "-d", out / "doctrees", stage.source, out / "html"],
                   check=True, env=os.environ | {"ARMILLA_VERSION": version})
    print(f"manual: {out / 'html/index.html'}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of the programs armilla and armilla-gui")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/manual", help="folder of the result (default build/manual)")
    parser.add_argument("--examples", action="store_true", help="only run the examples")
    parser.add_argument("--check", action="store_true", help="only test the commands, options and menus that pages name")
    parser.add_argument("--self-test", action="store_true", help="only test this script")
    arguments = parser.parse_args()
    try:
        program = Program(arguments.programs)
        if arguments.self_test:
            self_test(program)
            return 0
        if arguments.check:
            found = list(check(program))
            print("\n".join(found) if found else "every command, option and menu exists")
            return 1 if found else 0
        if arguments.examples:
            staged(program, arguments.out.resolve())
            return 0
        build(program, arguments.out.resolve())
        return 0
    except (Failure, subprocess.CalledProcessError) as failure:
        print(f"manual: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
