# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of Sphinx for the manual, which make_manual.py stages."""
import os

project = "Armilla"
author = "The Armilla developers"
version = release = os.environ.get("ARMILLA_VERSION", "")
extensions = ["myst_parser"]
root_doc = "index"
# Links to a heading name it as GitHub does.
myst_heading_anchors = 3
# Blocks without a language are command lines and formulas.
highlight_language = "text"
html_theme = "furo"
html_title = f"Armilla {version}"
html_logo = "pictures/armilla.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["manual.css"]
# Two hyphens begin an option.
smartquotes = False
