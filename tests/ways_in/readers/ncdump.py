"""ncdump prints everything; its CDL is read. SPDX-License-Identifier: Apache-2.0"""
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

text = subprocess.run([os.environ["XTA_NC"], "ncdump", "-p", "9,17", sys.argv[1]], capture_output=True, text=True, check=True).stdout
data = text[text.index("\ndata:"):]


def variable(name):
    return np.array(re.search(rf"\n {name} =([^;]*);", data).group(1).replace(",", " ").split(), "f8")


time, y, x = variable("time"), variable("y"), variable("x")
shape = (time.size, y.size, x.size)
expected.compare("temp", variable("temp").reshape(shape), expected.temp(time, y, x))
expected.compare("flag", variable("flag").reshape(shape), expected.flag(time, y, x))
expected.found(time, y, 2 * time.size * y.size * x.size)
