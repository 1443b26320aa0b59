project = "wireglot"
author = "wireglot contributors"
copyright = author

extensions = ["myst_parser"]

html_theme = "furo"
html_title = "wireglot"
