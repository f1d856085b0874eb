"""Settings of Sphinx for docs/html: pages that need no network and no script to be read.

SPDX-License-Identifier: Apache-2.0
"""
import os

project = "XTA"
copyright = "The XTA authors"  # pylint: disable=redefined-builtin
release = version = os.environ.get("XTA_VERSION", "")
extensions = []
html_theme = "alabaster"
html_theme_options = {
    "description": "Arrays that grow",
    "font_family": "Georgia, serif",
    "fixed_sidebar": True,
    "page_width": "1200px",
    "body_max_width": "960px",
    "show_powered_by": False,
    "extra_nav_links": {"Reference of the API": "api/index.html"},
}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
# A moment's date would make each build differ.
html_last_updated_fmt = None
nitpicky = True
highlight_language = "none"
exclude_patterns = ["api*"]
