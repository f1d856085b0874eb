#!/usr/bin/python3
"""Tests of the checkers: each must pass a small good tree and detect every single fault put into it.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.environ["XTA_SOURCE_DIR"], "tools")
NOTE = "/* What it is for.\n *\n * SPDX-License-Identifier: Apache-2.0 */\n"

GOOD = {
    "tools/LAYERS": "product core -\nbase - pure\nplan base pure\nos base\ntool/kit -\ntool tool/kit shape=verbs.h\n"
                    "product above core\n. -\n",
    "core/CMakeLists.txt": "xta_product_library(core HEADERS xta.h SOURCES base/base.c\n  plan/runs.c os/file.c)\n",
    "core/include/xta/xta.h": NOTE,
    "core/src/base/base.h": NOTE + "int base(void);\n",
    "core/src/base/base.c": NOTE + '#include "base/base.h"\n\nint base(void)\n{\n    return 0;\n}\n',
    "core/src/plan/plan.h": NOTE + "int plan(void);\n",
    "core/src/plan/runs.h": NOTE + "int runs(void);\n",
    "core/src/plan/runs.c": NOTE + '#include "plan/runs.h"\n\n#include "base/base.h"\n#include "plan/plan.h"\n'
                            "#include <stdio.h>\n\nint runs(void)\n{\n    return base();\n}\n",
    "core/src/os/file.h": NOTE + "int file(void);\n",
    "core/src/os/file.c": NOTE + '#include "os/file.h"\n\n#include <unistd.h>\n',
    "core/tool/CMakeLists.txt": "add_executable(tool read.c kit/cli.c)\n",
    "core/tool/verbs.h": NOTE + '#include "kit/cli.h"\nint read_verb(void);\n',
    "core/tool/read.c": NOTE + '#include "verbs.h"\n#include <xta/top.h>\n',
    "core/tool/kit/cli.h": NOTE + "int cli(void);\n",
    "core/tool/kit/cli.c": NOTE + '#include "kit/cli.h"\n',
    "above/CMakeLists.txt": "xta_product_library(above HEADERS top.h SOURCES top.c)\n",
    "above/include/xta/top.h": NOTE + "#include <xta/xta.h>\n",
    "above/src/top.c": NOTE + "#include <xta/top.h>\n",
    "cmake/install.cmake": "install(TARGETS xta)\n",
    "tests/CMakeLists.txt": "xta_add_test(test_runs SOURCES test_runs.c)\n",
    "tests/test_runs.c": NOTE + "/* F-1 and F-2..F-3. */\n",
    "docs/FORMAT.md": "The magic is this. [F-1]\nIt is little-endian. [F-2]\nSo. [F-3]\n",
    "tools/limits.exceptions": "# none\n",
    "Makefile": "all:\n",
}


def function_of(lines, name="long_one"):
    return NOTE + f"int {name}(void)\n{{\n" + "    ;\n" * (lines - 3) + "}\n"


class Tree(unittest.TestCase):
    """Each test writes the good tree, changes it, and runs one checker."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        for path, text in GOOD.items():
            self.put(path, text)

    def tearDown(self):
        shutil.rmtree(self.root)

    def put(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as handle:
            handle.write(text)

    def add(self, path, text):
        with open(os.path.join(self.root, path), "a", encoding="utf-8") as handle:
            handle.write(text)

    def ask(self, checker, *options):
        return subprocess.run([os.path.join(TOOLS, checker), *options, self.root], capture_output=True,
                              text=True, check=False)

    def passes(self, checker, *options):
        answer = self.ask(checker, *options)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def refuses(self, checker, words, *options):
        answer = self.ask(checker, *options)
        self.assertEqual(answer.returncode, 1, f"{checker} passed what it had to refuse: {words}")
        self.assertEqual(len(answer.stderr.splitlines()), 1, answer.stderr)
        self.assertIn(words, answer.stderr)


class Layers(Tree):
    """Rules of check_layers, by number."""

    def test_good(self):
        self.passes("check_layers")

    # 1. Products.
    def test_product_upwards(self):
        self.add("core/src/os/file.c", "#include <xta/top.h>\n")
        self.refuses("check_layers", "product core may not use <xta/top.h> of above")

    def test_public_header_upwards(self):
        self.put("core/include/xta/more.h", NOTE + "#include <xta/top.h>\n")
        answer = self.ask("check_layers")
        self.assertIn("core/include/xta/more.h: product core may not use <xta/top.h> of above", answer.stderr)
        self.assertIn("core/include/xta: stands in a circle of folders", answer.stderr)

    def test_internal_header_of_another_product(self):
        self.add("above/src/top.c", '#include "base/base.h"\n')
        self.refuses("check_layers", 'includes "base/base.h", which is internal to core')

    def test_quoted_public_header(self):
        self.add("above/src/top.c", '#include "xta/xta.h"\n')
        self.refuses("check_layers", "write <xta/xta.h>")

    def test_products_out_of_order(self):
        self.put("tools/LAYERS", GOOD["tools/LAYERS"].replace("product core -", "product core above"))
        self.refuses("check_layers", "product core names above, which does not stand above it")

    # 2. Folders.
    def test_upwards(self):
        self.add("core/src/base/base.c", '#include "os/file.h"\n')
        self.put("core/src/os/file.c", GOOD["core/src/os/file.c"])
        self.refuses("check_layers", 'core/src/base may not include "os/file.h" of core/src/os')

    def test_line_names_one_below(self):
        self.put("tools/LAYERS", GOOD["tools/LAYERS"].replace("base -", "base plan"))
        self.refuses("check_layers", "core/src/base names plan, which does not stand above it")

    def test_nested_folder(self):
        self.put("core/src/plan/deep/more.h", NOTE)
        self.put("core/src/plan/deep/more.c", NOTE + '#include "plan/deep/more.h"\n\n#include "base/base.h"\n')
        self.passes("check_layers")
        self.put("tools/LAYERS", GOOD["tools/LAYERS"].replace("plan base", "plan/deep -\nplan base"))
        self.refuses("check_layers", 'core/src/plan/deep may not include "base/base.h" of core/src/base')

    def test_tool_of_another_product(self):
        self.put("above/tool/main.c", NOTE + '#include "kit/cli.h"\n')
        self.put("tools/LAYERS", GOOD["tools/LAYERS"] + "tool -\n")
        self.refuses("check_layers", 'above/tool may not include "kit/cli.h" of core/tool/kit')
        self.put("tools/LAYERS", GOOD["tools/LAYERS"] + "tool core/tool/kit\n")
        self.passes("check_layers")

    # 3. Circles, by includes and by calls.
    def test_circle_of_headers(self):
        self.add("core/src/plan/plan.h", '#include "plan/runs.h"\n')
        self.add("core/src/plan/runs.h", '#include "plan/plan.h"\n')
        answer = self.ask("check_layers")
        self.assertEqual(sorted(answer.stderr.splitlines()),
                         ["core/src/plan/plan.h: stands in a circle of files",
                          "core/src/plan/runs.c: stands in a circle of files"])

    def test_circle_of_a_file_and_a_header(self):
        self.put("core/src/base/more.h", NOTE)
        self.put("core/src/base/more.c", NOTE + '#include "base/more.h"\n\n#include "base/base.h"\n')
        self.passes("check_layers")
        self.add("core/src/base/base.c", '#include "base/more.h"\n')
        self.assertEqual(self.ask("check_layers").stderr.count("stands in a circle of files"), 2)

    def test_circle_of_folders(self):
        for folder in ("x", "y"):
            other = "y" if folder == "x" else "x"
            for name in ("down", "up"):
                self.put(f"core/src/os/{folder}/{name}.h", NOTE)
            self.put(f"core/src/os/{folder}/up.c", NOTE + f'#include "os/{folder}/up.h"\n\n#include "os/{other}/down.h"\n')
        answer = self.ask("check_layers")
        self.assertEqual(sorted(answer.stderr.splitlines()),
                         ["core/src/os/x: stands in a circle of folders", "core/src/os/y: stands in a circle of folders"])

    def build(self, **sources):
        """Compile files of core/src, given without .c, as a build would; returns its folder."""
        entries = []
        for name, text in sources.items():
            path = "core/src/" + name.replace("__", "/") + ".c"
            self.put(path, text)
            full = os.path.join(self.root, path)
            command = [os.environ.get("XTA_CC", "cc"), "-I" + self.root + "/core/src", "-o", full + ".o", "-c", full]
            subprocess.run(command, check=True)
            entries.append({"directory": self.root, "file": full, "command": " ".join(command)})
        self.put("build/compile_commands.json", json.dumps(entries))
        return "--build", self.root + "/build"

    def test_circle_of_calls(self):
        self.put("core/src/os/other.h", NOTE + "int other(void);\n")
        head = NOTE + '#include "os/%s.h"\n'
        options = self.build(os__file=head % "file" + "int other(void);\nint file(void)\n{\n    return other();\n}\n",
                             os__other=head % "other" + "int file(void);\nint other(void)\n{\n    return file();\n}\n")
        self.passes("check_layers")  # it cannot be seen from includes
        answer = self.ask("check_layers", *options)
        self.assertEqual(sorted(answer.stderr.splitlines()), ["core/src/os/file.c: stands in a circle of files",
                                                              "core/src/os/other.c: stands in a circle of files"])

    def test_call_upwards(self):
        options = self.build(base__base=GOOD["core/src/base/base.c"].replace("    return 0", "    return file()")
                             .replace("int base(", "int file(void);\nint base("),
                             os__file=GOOD["core/src/os/file.c"] + "int file(void)\n{\n    return 0;\n}\n")
        self.refuses("check_layers", "core/src/base may not call file() of core/src/os", *options)

    # 4. Headers of files.
    def test_no_header(self):
        self.put("core/src/os/alone.c", NOTE + '#include "os/file.h"\n')
        self.refuses("check_layers", "core/src/os/alone.c: has no header of its own")
        self.put("tools/LAYERS", GOOD["tools/LAYERS"].replace("os base", "os base shape=file.h"))
        self.passes("check_layers")

    def test_public_header_of_the_same_name(self):
        self.put("core/include/xta/alone.h", NOTE)
        self.put("core/src/os/alone.c", NOTE + "#include <xta/alone.h>\n")
        self.passes("check_layers")
        self.put("core/src/os/alone.c", NOTE + "#include <xta/xta.h>\n")
        self.refuses("check_layers", "core/src/os/alone.c: has no header of its own")

    def test_public_header_that_is_fulfilled(self):
        self.put("core/include/xta/many.h", NOTE + "int xta_one(void);\n")
        self.put("core/src/os/alone.c", NOTE + "#include <xta/many.h>\n\nint xta_one(void)\n{\n    return 1;\n}\n")
        self.passes("check_layers")
        self.put("core/include/xta/many.h", NOTE + "int xta_other(void);\n")
        self.refuses("check_layers", "core/src/os/alone.c: has no header of its own")

    def test_first_include(self):
        self.put("core/src/plan/runs.c", NOTE + '#include "base/base.h"\n#include "plan/runs.h"\n')
        self.refuses("check_layers", "its first include is not its own header")

    def test_verb_without_the_header_of_verbs(self):
        self.put("core/tool/read.c", NOTE + '#include "kit/cli.h"\n')
        self.refuses("check_layers", "its first include is not its own header")

    def test_unknown_header(self):
        self.add("core/src/plan/runs.c", '#include "nowhere.h"\n')
        self.refuses("check_layers", '"nowhere.h" is no header of ours')

    def test_generated_header(self):
        self.add("core/src/plan/runs.c", '#include "made.def"\n')
        self.add("core/CMakeLists.txt", "configure_file(made.in made.def)\n")
        self.passes("check_layers")

    # 5 and 6. Sizes.
    def test_many_files(self):
        for number in range(15):
            self.put(f"core/src/os/n{number}.h", NOTE)
            self.put(f"core/src/os/n{number}.c", NOTE + f'#include "os/n{number}.h"\n')
        self.refuses("check_layers", "core/src/os: has more than 15 .c files")
        os.remove(os.path.join(self.root, "core/src/os/n0.c"))
        self.passes("check_layers")

    def test_long_header_that_collects(self):
        text = NOTE + '#include "base/base.h"\n'
        self.put("core/src/base/all.h", text + "\n" * (120 - text.count("\n")))
        self.add("core/src/os/file.c", '#include "base/all.h"\n')
        self.passes("check_layers")
        self.add("core/src/base/all.h", "\n")
        self.refuses("check_layers", "core/src/base/all.h: collects headers for other folders and has more than 120 lines")

    # 7. Pure folders.
    def test_pure_header(self):
        self.add("core/src/plan/runs.c", "#include <sys/stat.h>\n")
        self.refuses("check_layers", "is pure: <sys/stat.h>")

    def test_pure_call(self):
        self.add("core/src/plan/runs.c", 'int f(void)\n{\n    return getenv("HOME") == 0;\n}\n')
        self.refuses("check_layers", "calls getenv()")

    def test_pure_talk_is_no_call(self):
        self.add("core/src/plan/runs.c", '/* open(2) and time() stay out. */\nchar *s = "time()";\n')
        self.passes("check_layers")

    # 8. Foreign headers of many processes.
    def test_mpi_where_it_is_not_marked(self):
        self.add("core/src/os/file.c", "#include <mpi.h>\n")
        self.refuses("check_layers", "is not marked mpi in LAYERS: it may not include <mpi.h>")
        self.put("tools/LAYERS", GOOD["tools/LAYERS"].replace("os base", "os base mpi"))
        self.passes("check_layers")
        self.add("core/src/os/file.c", "#include <ga.h>\n")
        self.refuses("check_layers", "is not marked ga in LAYERS: it may not include <ga.h>")

    def test_mpi_through_a_public_header(self):
        self.put("core/include/xta/many.h", NOTE + "#include <mpi.h>\n")
        self.put("core/include/xta/more.h", NOTE + "#include <xta/many.h>\n")
        self.passes("check_layers")
        self.add("core/src/os/file.c", "#include <xta/more.h>\n")
        self.refuses("check_layers", "it may not include <xta/more.h>")

    # 9. Lines and folders.
    def test_folder_without_line(self):
        self.put("core/src/more/more.h", NOTE)
        self.put("core/src/more/more.c", NOTE + '#include "more/more.h"\n')
        self.refuses("check_layers", "core/src/more: has no line in LAYERS")

    def test_line_without_folder(self):
        self.put("tools/LAYERS", GOOD["tools/LAYERS"].replace("os base", "os base\nghost base"))
        self.refuses("check_layers", "core/src/ghost: stands in LAYERS and is no folder")

    # The list of known violations.
    def test_known(self):
        self.put("core/src/os/alone.c", NOTE + '#include "os/file.h"\n')
        self.put("tools/layers.known", "# today's\ncore/src/os/alone.c: has no header of its own\n")
        self.passes("check_layers")
        os.remove(os.path.join(self.root, "core/src/os/alone.c"))
        self.refuses("check_layers", "no longer needed: core/src/os/alone.c")
        self.passes("check_layers", "--known")
        self.passes("check_layers")


class Files(Tree):
    def test_good(self):
        self.passes("check_files")

    def test_not_listed(self):
        self.put("tests/test_more.c", NOTE)
        self.refuses("check_files", "in no CMakeLists.txt")

    def test_not_on_disk(self):
        self.add("tests/CMakeLists.txt", "xta_add_test(test_gone SOURCES test_gone.c)\n")
        self.refuses("check_files", "names test_gone.c, which is not on disk")

    def test_script_nobody_runs(self):
        self.put("tests/lonely.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.refuses("check_files", "no CMakeLists.txt and no other script names it")

    def test_list_in_a_loop(self):
        self.put("tests/CMakeLists.txt",
                 "foreach(name runs more)\n  xta_add_test(t SOURCES test_${name}.c)\nendforeach()\n")
        self.put("tests/test_more.c", NOTE)
        self.passes("check_files")
        self.put("tests/test_third.c", NOTE)
        self.refuses("check_files", "test_third.c: is on disk but in no CMakeLists.txt")

    def test_named_by_another_folder(self):
        self.put("core/src/plan/template.c", NOTE + '#include "plan/plan.h"\n')
        self.refuses("check_files", "template.c: is on disk")
        self.add("tests/CMakeLists.txt", "add_library(t ${PROJECT_SOURCE_DIR}/core/src/plan/template.c)\n")
        self.passes("check_files")

    def test_header_nobody_includes(self):
        self.put("core/src/os/lost.h", NOTE)
        self.refuses("check_files", "nobody includes it")

    def test_header_not_installed(self):
        self.put("core/include/xta/new.h", NOTE)
        self.add("above/src/top.c", "#include <xta/new.h>\n")
        self.refuses("check_files", "no list of CMake installs it")
        self.put("cmake/install.cmake", "install(FILES core/include/xta/new.h)\n")
        self.passes("check_files")

    def test_same_name_in_another_folder(self):
        self.put("core/src/os/runs.c", NOTE + '#include "os/file.h"\n')
        self.refuses("check_files", "os/runs.c: is on disk but in no CMakeLists.txt")
        self.put("core/CMakeLists.txt", "target_sources(x PRIVATE src/base/base.c src/plan/runs.c src/os/file.c src/os/runs.c)\n"
                                        "target_sources(x PUBLIC FILES ${CMAKE_CURRENT_SOURCE_DIR}/include/xta/xta.h)\n")
        self.passes("check_files")

    def test_test_of_a_product(self):
        self.put("core/tests/unit/CMakeLists.txt", "xta_add_test(test_file SOURCES test_file.c)\n")
        self.put("core/tests/unit/test_file.c", NOTE)
        self.passes("check_files")
        self.put("core/tests/unit/lonely.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.refuses("check_files", "no CMakeLists.txt and no other script names it")

    def test_licence_line(self):
        self.put("tests/test_runs.c", "/* F-1 */\n")
        self.refuses("check_files", "no SPDX-License-Identifier")

    def test_untidy_lines(self):
        for text, words in (("\tint a;\n", "a tab"), ("int a; \n", "blanks at the end"),
                            ("// TO" "DO later\n", "a note left behind"), ("int a;", "newline"),
                            ("// NEEDS" "WORK later\n", "number of an issue")):
            self.put("tests/test_runs.c", NOTE + text)
            self.refuses("check_files", words)


class Limits(Tree):
    def test_good(self):
        self.passes("check_limits")

    def test_function(self):
        self.put("core/src/os/file.c", function_of(70))
        self.passes("check_limits")
        self.put("core/src/os/file.c", function_of(71))
        self.refuses("check_limits", "long_one() is too long (71")
        self.put("tools/limits.exceptions", "core/src/os/file.c:long_one function 80 a table in code\n")
        self.passes("check_limits")

    def test_exception_without_need(self):
        self.put("tools/limits.exceptions", "core/src/os/file.c:long_one function 80 was long once\n")
        self.refuses("check_limits", "no longer needed")

    def test_file(self):
        self.put("core/src/os/file.c", "\n" * 700)
        self.passes("check_limits")
        self.put("core/src/os/file.c", "\n" * 701)
        self.refuses("check_limits", "too many lines (701")

    def test_line(self):
        self.put("core/src/os/file.c", NOTE + "//" + "x" * 98 + "\n")
        self.passes("check_limits")
        self.put("core/src/os/file.c", NOTE + "//" + "x" * 99 + "\n")
        self.refuses("check_limits", "line too long (101")

    def test_nesting(self):
        deep = "int f(int a)\n{\n%s}\n"
        three = "    if (a) {\n  for (;;) {\n while (a) {\n%s }\n }\n }\n"
        self.put("core/src/os/file.c", NOTE + deep % (three % "int b[] = {1, 2};"))
        self.passes("check_limits")
        self.put("core/src/os/file.c", NOTE + deep % (three % "if (a) {\n }"))
        self.refuses("check_limits", "nested too deep (4")
        self.put("core/src/os/file.c", NOTE + deep % (three % "do {\n } while (a);"))
        self.refuses("check_limits", "nested too deep (4")


class Coverage(Tree):
    def test_good(self):
        self.passes("check_format_coverage")

    def test_uncovered(self):
        self.add("docs/FORMAT.md", "And this. [F-4]\n")
        self.refuses("check_format_coverage", "no test names F-4")

    def test_given_twice(self):
        self.add("docs/FORMAT.md", "And this. [F-1]\n")
        self.refuses("check_format_coverage", "given twice")

    def test_no_such_sentence(self):
        self.add("tests/test_runs.c", "/* F-9 */\n")
        self.refuses("check_format_coverage", "names F-9")


@unittest.skipUnless(os.path.isdir("/var/lib/dpkg/info"), "no dpkg")
class Foreign(Tree):
    """Every foreign header and program named belongs to a package of the list."""

    def setUp(self):
        super().setUp()
        self.list("build-essential", "zlib1g-dev")
        self.put("tools/foreign.exceptions", "# KIND NAME REASON\n")
        self.add("core/src/os/file.c", "#include <stdio.h>\n#include <zlib.h>\n")
        self.put("tools/script", '#!/bin/bash\n# strace is a word of a comment.\necho "strace | nothing"\n'
                                 'sed s/a/b/ <<END\nstrace\nEND\nif ! grep -q x y; then make; fi\n')

    def list(self, *packages):
        self.put("tools/install-deps", "#!/bin/sh\necho " + " ".join(packages) + "\n")
        os.chmod(os.path.join(self.root, "tools/install-deps"), 0o755)

    def test_good(self):
        self.passes("check_foreign")

    def test_header_of_no_listed_package(self):
        self.add("core/src/os/file.c", "#include <nifti/nifti1.h>\n")
        self.refuses("check_foreign", "header nifti/nifti1.h is of libnifti2-dev, which tools/install-deps does not list")
        self.list("build-essential", "zlib1g-dev", "libnifti2-dev")
        self.passes("check_foreign")

    def test_header_of_nobody(self):
        self.add("core/src/os/file.c", "#include <nowhere/at_all.h>\n")
        self.refuses("check_foreign", "header nowhere/at_all.h belongs to no installed package")

    def test_programs(self):
        for script in ("strace true\n", "true && strace true\n", "x=$(strace true)\n", "timeout 5 strace true\n",
                       "if ! strace true; then exit; fi\n", "command -v strace\n"):
            self.put("tools/more", "#!/bin/bash\n" + script)
            self.refuses("check_foreign", "program strace is of strace")
        self.put("tools/more", '#!/usr/bin/python3\nsubprocess.run(["strace", "true"])\n')
        self.refuses("check_foreign", "program strace is of strace")
        self.put("tools/foreign.exceptions", "program strace on purpose\n")
        self.passes("check_foreign")
        os.remove(os.path.join(self.root, "tools/more"))
        self.refuses("check_foreign", "program strace is no longer needed")

    def test_program_that_is_nowhere(self):
        self.put("tools/more", "#!/bin/bash\ncommand" " -v no-such-program\n")
        self.refuses("check_foreign", "program no-such-program belongs to no installed package")


CTEST_LOG = """\
      Start 1: test_a
1/4 Test #1: test_a ............................   Passed    0.01 sec
2/4 Test #2: cli_hyper_memory ..................***Skipped   0.02 sec
3/4 Test #3: bridge_b ..........................***Skipped   0.02 sec
4/4 Test #4: test_c ............................***Failed    0.02 sec
    one
test_c.c:10: not so: a == b
mpirun detected that one or more processes exited with non-zero status
      Start 5: test_d

75% tests passed, 1 tests failed out of 4
"""


class Skips(Tree):
    """tools/check counts the results of ctest; skipped tests fail if nothing may be skipped."""

    def count(self, log, part="asan", **environment):
        self.put("log", log)
        self.put("skips", "# a comment\nasan cli_hyper_memory the sanitizer's own memory\n")
        answer = subprocess.run([os.path.join(TOOLS, "check"), "--count", part, self.root + "/log",
                                 self.root + "/skips"], capture_output=True, text=True, check=False,
                                env={**os.environ, "XTA_NO_SKIPS": "0", **environment})
        return answer.returncode, answer.stdout.splitlines()

    def test_counted(self):
        code, lines = self.count(CTEST_LOG)
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 2 skipped"))
        self.assertIn("  asan: bridge_b", lines)
        self.assertIn("  asan: cli_hyper_memory: the sanitizer's own memory", lines)
        self.assertEqual(lines[-4:-1], ["  asan: test_c: Failed 0.02 sec", "          one",
                                        "      test_c.c:10: not so: a == b"])

    def test_none_allowed(self):
        code, lines = self.count(CTEST_LOG, XTA_NO_SKIPS="1")
        self.assertEqual((code, lines[-1]), (1, "1 passed, 2 failed, 1 skipped"))
        code, lines = self.count(CTEST_LOG, part="gcc", XTA_NO_SKIPS="1")
        self.assertEqual((code, lines[-1]), (1, "1 passed, 3 failed, 0 skipped"))

    def test_skip_alone_fails(self):
        log = "1/2 Test #1: a ... Passed 0.01 sec\n2/2 Test #2: b ...***Skipped 0.02 sec\n\n" \
              "100% tests passed, 0 tests failed out of 2\n"
        self.assertEqual(self.count(log)[0], 0)
        self.assertEqual(self.count(log, XTA_NO_SKIPS="1")[0], 1)

    def test_no_verdict(self):
        """A test in which LeakSanitizer itself failed runs once more; only then is it counted."""
        log = CTEST_LOG.replace("    one\n", "==7==LeakSanitizer has encountered a fatal error.\n")
        again = "1/1 Test #4: test_c ............................   Passed    0.02 sec\n\n" \
                "100% tests passed, 0 tests failed out of 1\n"
        self.assertEqual(self.check("--without-verdict", log=log), "test_c\n")
        self.assertEqual(self.check("--without-verdict", log=CTEST_LOG), "")
        code, lines = self.count(self.check("--merge", log=log, again=again))
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 2 skipped"))
        failed = again.replace("   Passed", "***Failed").replace("100%", "0%").replace(", 0 tests", ", 1 tests")
        code, lines = self.count(self.check("--merge", log=log, again=failed))
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 2 skipped"))

    def check(self, option, **logs):
        for name, text in logs.items():
            self.put(name, text)
        return subprocess.run([os.path.join(TOOLS, "check"), option, *(self.root + "/" + name for name in logs)],
                              capture_output=True, text=True, check=True).stdout

    def test_no_tests(self):
        code, lines = self.count("nothing\n")
        self.assertEqual((code, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))


class Symbols(unittest.TestCase):
    """Two tiny libraries are enough: a correct one, and one with a single fault at a time."""

    def build(self, source, header="XTA_API int xta_one(void);\n", archives=None, headers=None, private=None,
              version="XTA_1", listed=None):
        """`version`: of all symbols; `listed`: lines of debian/libxta1.symbols below the first; `archives`: libraries of upper layers, name -> source; `headers`: further public headers; `private`: a
        header of the core."""
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.write("tools/LAYERS", "product core -\nbase - pure\n")
        self.write("core/CMakeLists.txt", "")
        self.write("core/include/xta/one.h", header)
        for name, text in (headers or {}).items():
            self.write("core/include/xta/" + name, text)
        if private:
            self.write("core/src/base/two.h", private)
        one_o = self.compile(source, "core/src/base/one.c")
        self.write("compile_commands.json", json.dumps([
            {"directory": self.root, "file": one_o[:-2], "command": f"cc -o {one_o} -c {one_o[:-2]}"}]))
        script = self.write("libxta.map", version + " { global: *; };\n")
        if listed is not None:
            self.write("debian/libxta1.symbols", "libxta.so.1 libxta1 #MINVER#\n" + "".join(
                f" {line}\n" for line in listed))
        self.run_quietly("cc", "-shared", "-Wl,-soname,libxta.so.1", "-Wl,--version-script=" + script,
                         "-o", os.path.join(self.root, "libxta.so"), one_o)
        self.run_quietly("ar", "rc", os.path.join(self.root, "libxta.a"), one_o)
        for name, text in (archives or {}).items():
            self.run_quietly("ar", "rc", os.path.join(self.root, name), self.compile(text, name + ".c"))
        return subprocess.run([os.path.join(TOOLS, "check_symbols"), self.root, self.root],
                              capture_output=True, text=True, check=False)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
        return path

    def compile(self, text, name):
        path = self.write(name, text)
        self.run_quietly("cc", "-fPIC", "-c", path, "-o", path + ".o")
        return path + ".o"

    @staticmethod
    def run_quietly(command, *arguments):
        command = os.environ.get("XTA_CC", command) if command == "cc" else command
        subprocess.run([command, *arguments], check=True)

    def test_good(self):
        answer = self.build("int xta_one(void) { return 1; }\n"
                            "static const char *const words[] = { \"a\" };\n"
                            "const char *const *xta__w(void);\n"
                            "__attribute__((visibility(\"hidden\")))\n"
                            "const char *const *xta__w(void) { return words; }\n")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def refused(self, words, *arguments, **options):
        answer = self.build(*arguments, **options)
        self.assertEqual(answer.returncode, 1, words)
        self.assertIn(words, answer.stderr)

    def test_foreign_name(self):
        self.refused("exports helper", "int xta_one(void) { return 1; }\nint helper(void) { return 2; }\n")

    def test_shared_inside_leaves(self):
        self.refused("exports xta__two", "int xta_one(void) { return 1; }\nint xta__two(void) { return 2; }\n")

    def test_symbol_version(self):
        self.refused("exports xta_one under the version 'XTA_0', not XTA_1", "int xta_one(void) { return 1; }\n",
                     version="XTA_0")

    def test_listed_symbols(self):
        source = "int xta_one(void) { return 1; }\n"
        lines = ["XTA_1@XTA_1 0.2.0", "xta_one@XTA_1 0.2.0"]
        self.assertEqual(self.build(source, listed=lines).returncode, 0)
        self.refused("exports xta_one@XTA_1, which debian/libxta1.symbols does not list", source, listed=lines[:1])
        self.refused("does not export xta_two@XTA_1, which debian/libxta1.symbols lists", source,
                     listed=lines + ["xta_two@XTA_1 0.2.0"])

    def test_symbols_are_added(self):
        self.build("int xta_one(void) { return 1; }\n", listed=["XTA_1@XTA_1 0.2.0", "xta_gone@XTA_1 0.2.0"])
        self.write("VERSION", "0.3.0\n")
        self.write("debian/libxta1.install", "usr/lib/*/libxta.so.*\n")
        self.run_quietly(os.path.join(TOOLS, "list_symbols"), self.root, self.root)
        with open(os.path.join(self.root, "debian/libxta1.symbols"), encoding="utf-8") as handle:
            self.assertEqual(handle.read().splitlines(), [
                "libxta.so.1 libxta1 #MINVER#", " XTA_1@XTA_1 0.2.0", " xta_gone@XTA_1 0.2.0",
                " xta_one@XTA_1 0.3.0"])

    def test_private_names(self):
        self.refused("does not export xta__two, which is declared with XTA_PRIVATE_API",
                     "int xta_one(void) { return 1; }\n", "XTA_API int xta_one(void);\n", None, None,
                     "XTA_PRIVATE_API int xta__two(void);\n")

    def test_not_declared(self):
        self.refused("no public header declares",
                     "int xta_one(void) { return 1; }\nint xta_two(void) { return 2; }\n")

    def test_not_defined(self):
        self.refused("declares xta_two, which no library exports", "int xta_one(void) { return 1; }\n",
                     "XTA_API int xta_one(void);\nXTA_API XTA_MUST_CHECK int\nxta_two(int a,\n int b);\n")

    def test_archives_of_upper_layers(self):
        one = "int xta_one(void) { return 1; }\n"
        good = {"libxta_parallel-a.a": "int xta__b; int DRXMP_Read(void) { return 0; }\n",
                "libpexta-a.a": "int PEXTA_Read(void) { return 0; }\n",
                "libpexta_dra-a.a": "int PEXTA_Read(void) { return 0; }\n"
                                    "int NDRA_Read(void) { return 0; }\nint ndra_read_(void) { return 0; }\n"}
        headers = {"drxmp.h": "XTA_API int DRXMP_Read(void);\n",
                   "pexta.h": "XTA_API int PEXTA_Read(void);\n",
                   "compat/dra.h": "XTA_API int NDRA_Read(void);\n"}
        one_header = "XTA_API int xta_one(void);\n"
        answer = self.build(one, one_header, good, headers)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.refused("libxta_parallel-a.a: has the global PEXTA_Read", one, one_header,
                     {"libxta_parallel-a.a": "int PEXTA_Read;\n"})
        self.refused("libpexta-a.a: has the global NDRA_Read", one, one_header,
                     {"libpexta-a.a": "int NDRA_Read;\n"})
        self.refused("libpexta_dra-a.a: has the global ndra_read", one, one_header,
                     {"libpexta_dra-a.a": "int ndra_read;\n"})
        self.refused("drxmp.h: declares DRXMP_Read, which", one, one_header,
                     {"libxta_parallel-a.a": "int xta__b;\n"}, headers)

    def test_one_name_in_two_archives(self):
        self.refused("has the global xta__same, and so has libpexta-a.a",
                     "int xta_one(void) { return 1; }\n", "XTA_API int xta_one(void);\n",
                     {"libxta_hyper.a": "int xta__same, xta__own;\n",
                      "libpexta-a.a": "int xta__same, xta__other;\n"})

    def test_state(self):
        self.refused("yet has the variable count",
                     "static int count;\nint xta_one(void) { return ++count; }\n")


class Words(Tree):
    """Each word of the list is found where it is banned, and innocent ones are not."""

    # Word -> a line of C that has it, with names of files for words that apply to these.
    SEEDED = {
        "holder": "int a_holder;", "door": "// the door of it", "room": "int pieces_room;", "room-header": "/* A room of store/. */",
        "room-file": "core/src/os/room.c", "ways": "choose_ways();", "places": "xta__places;", "part": "xta__take_part();",
        "part-file": "core/src/os/dense_parts.c", "lines-file": "core/src/array/io/lines.c",
        "runs-file": "core/src/array/runs.c", "apply-file": "core/src/array/state/apply.c", "care-file": "core/src/os/care.c",
        "sole": "// a sole writer", "look": "look_at_tile();", "examine": "// examines it", "take": "take_u32();",
        "tell": "tell_all();", "carry": "carry_one();", "carry-file": "core/src/os/hdf5_carry.c", "deliver": "deliver();",
        "wish": "blocks_wish a;", "deal": "// ranks are dealt tiles", "gate": "gate_path();", "keeper": "keeper *k;",
        "team": "xta_team *t;", "lanes-file": "core/src/os/lanes.h", "tree-sum": "xta__tree_get();",
        "tree-file": "hyper/src/numeric/tree.c", "trace": "xta__path_cut();", "trace-file": "hyper/src/path_step.c",
        "field": "xta__field_visit();", "field-file": "core/src/os/endmembers_field.h", "course": "xta__course *c;",
        "walk": "xta_rechunk_walk_new();", "peak": "rechunk_peak();", "limit": "rechunk_limit();", "held": "xta__held_add();",
        "held-file": "core/src/os/held.h", "notes": "xta__notes_open();", "notes-file": "core/src/os/notes.c",
        "turned-round": "// bytes are turned round", "MOVED": "XTA__RECORD_MOVED;", "REACH": "XTA__RECORD_REACH;",
        "begin": "// read it from the begin.", "who-may": "// ended by who may write", "wanting": 'char *s = "memory is wanting";',
        "in-the-hand": "/* A chunk in the hand. */",
    }

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(TOOLS, "words.banned"), os.path.join(self.root, "tools"))

    def test_good(self):
        self.passes("check_words")

    def test_each_word(self):
        with open(os.path.join(TOOLS, "words.banned"), encoding="utf-8") as lines:
            names = {line.split("|")[0].strip() for line in lines if line.strip() and not line.startswith("#")}
        self.assertEqual(names, set(self.SEEDED))
        for word, text in self.SEEDED.items():
            path = text if word.endswith("-file") else "core/src/os/seeded.c"
            self.put(path, NOTE if word.endswith("-file") else NOTE + text + "\n")
            answer = self.ask("check_words")
            self.assertEqual(answer.returncode, 1, f"{word} was not found")
            self.assertIn(f"{path}: {word} (", answer.stderr)
            os.remove(os.path.join(self.root, path))

    def test_innocent_words(self):
        self.put("core/src/os/fine.c", NOTE + "/* A placeholder of a partition, dealt with, of course, from the beginning; there is\n"
                 " * room for it, as somebody who may write would carry out. Part of it takes a look. */\n"
                 "int look_up, placeholder, partition, parts_of_speech, is_delegate, departed, no_room;\n")
        self.passes("check_words")

    def test_known(self):
        self.put("core/src/os/file.c", NOTE + "int holder, to_holder;\n")
        self.refuses("check_words", "core/src/os/file.c: holder (2, known are 0; lines 4, 4): say chunk store")
        self.put("tools/words.known", "# today's\ncore/src/os/file.c holder 1\n")
        self.refuses("check_words", "core/src/os/file.c: holder (2, known are 1")
        self.put("tools/words.known", "core/src/os/file.c holder 3\n")
        self.refuses("check_words", "core/src/os/file.c holder: 2 are left of 3: shrink the list")
        self.passes("check_words", "--known")
        self.passes("check_words")

    def test_left_out(self):
        self.put("docs/decisions/0001-old.md", "The holder.\n")
        self.put("core/tests/format/golden/old.txt", "holder\n")
        self.passes("check_words")
        self.put("docs/more.md", "The holder.\n")
        self.refuses("check_words", "docs/more.md: holder")


class Wrap(unittest.TestCase):
    """The wrapper of comments fills prose again and leaves everything else unchanged."""

    def wrapped(self, text):
        with tempfile.NamedTemporaryFile("w+", suffix=".c") as handle:
            handle.write(text)
            handle.flush()
            subprocess.run([os.path.join(TOOLS, "wrap_comments"), handle.name], check=True,
                           capture_output=True)
            with open(handle.name, encoding="utf-8") as again:
                return again.read()

    def test_prose(self):
        text = "/* " + "word " * 30 + "\n * more of it. */\nint a;\n"
        after = self.wrapped(text)
        self.assertLessEqual(max(map(len, after.split("\n"))), 100)
        self.assertEqual(text.replace("*", " ").split(), after.replace("*", " ").split())

    def test_nothing_to_do(self):
        for text in ("/* Short. */\nint a;\n", "// | a   | b" + " " * 90 + "| c |\n",
                     'char *s = "' + "x" * 120 + '";\n'):
            self.assertEqual(self.wrapped(text), text)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
