# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks of resources/notebooks, run cell after cell without Jupyter."""
import ast
import json
import os
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "resources" / "notebooks"


def run(code, names):
    """Runs the code of a cell. Returns the value of its last line, if that is an expression, as a notebook shows it."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_values_draw_themselves(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text())
    pictures = pathlib.Path(os.environ.get("ARMILLA_NOTEBOOK_PICTURES", tmp_path))
    names = {"__name__": "notebook"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "a notebook is stored without results"
        shown = run("".join(cell["source"]), names)
        if hasattr(shown, "_repr_png_"):
            count += 1
            data = shown._repr_png_()
            assert data.startswith(b"\x89PNG")
            (pictures / f"{path.stem}-{count}.png").write_bytes(data)
    assert count >= 2


def test_there_are_four_notebooks():
    assert [path.stem for path in sorted(FOLDER.glob("*.ipynb"))] == ["correlation", "first-map", "sources", "spectrum"]
