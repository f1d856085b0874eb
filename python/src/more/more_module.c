/* The extension module xta._more: calls of the libraries above libxta. A module of its own, so that
 * arrays need libxta alone; it opens arrays by their paths.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "more/more_module.h"

#include "more/rechunking.h"
#include "more/reduction.h"

static PyMethodDef more_methods[] = {
    {"reduce", reduction_run, METH_VARARGS, "reduce(...); see xta.reduce"},
    {"rechunk", rechunking_run, METH_VARARGS, "rechunk(...); see xta.rechunk"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "xta._more",
    .m_doc = "Calls of libxta_reduce and libxta_rechunk. Use xta.",
    .m_size = -1,
    .m_methods = more_methods,
};

PyMODINIT_FUNC PyInit__more(void)
{
    xta_python.errors = PyImport_ImportModule("xta.errors");
    return xta_python.errors != NULL ? PyModule_Create(&definition) : NULL;
}
