# SPDX-License-Identifier: Apache-2.0
"""The example of the README runs as it stands."""
from __future__ import annotations

import os
import re
import unittest

from support import Case


class Readme(Case):
    def test_example(self) -> None:
        page = os.path.join(os.environ["XTA_SOURCE_DIR"], "python", "README.md")
        with open(page, encoding="utf-8") as text:
            blocks = re.findall(r"```python\n(.*?)```", text.read(), re.S)
        self.assertGreater(len(blocks), 0)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for block in blocks:
            exec(compile(block, page, "exec"), {})
        self.assertEqual(sorted(os.listdir(self.folder)), ["ocean", "sst.xmd", "sst.xta", "sst_by_place.xmd", "sst_by_place.xta"])


if __name__ == "__main__":
    unittest.main()
