/* Attributes as Python passes them: (code, cell_bytes, bytes).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/attribute_values.h"

#include <stdlib.h>
#include <string.h>

xta_status attribute_copy_make(const xta_attribute *attribute, attribute_copy *copy, xta_error *err)
{
    size_t n = attribute->count * (attribute->type == XTA_TEXT ? 1 : attribute->cell_bytes);

    copy->value = *attribute;
    copy->name = strdup(attribute->name);
    copy->values = malloc(n > 0 ? n : 1);
    if (copy->name == NULL || copy->values == NULL) {
        attribute_copy_clear(copy);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for an attribute of %zu bytes", n);
    }
    memcpy(copy->values, attribute->values, n);
    copy->value.name = copy->name;
    copy->value.values = copy->values;
    return XTA_OK;
}

void attribute_copy_clear(attribute_copy *copy)
{
    free(copy->name);
    free(copy->values);
    memset(copy, 0, sizeof *copy);
}

PyObject *attribute_to_python(const attribute_copy *copy)
{
    const xta_attribute *v = &copy->value;
    size_t n = v->count * (v->type == XTA_TEXT ? 1 : v->cell_bytes);

    return Py_BuildValue("(iny#)", (int)v->type, (Py_ssize_t)v->cell_bytes, (const char *)v->values,
                         (Py_ssize_t)n);
}

xta_status attribute_names_add(attribute_names *names, const char *name, xta_error *err)
{
    char **more = realloc(names->items, (names->n + 1) * sizeof *more);
    char *copy = strdup(name);

    if (more != NULL) {
        names->items = more;
    }
    if (more == NULL || copy == NULL) {
        free(copy);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a list of names");
    }
    names->items[names->n++] = copy;
    return XTA_OK;
}

void attribute_names_clear(attribute_names *names)
{
    for (size_t k = 0; k < names->n; k++) {
        free(names->items[k]);
    }
    free(names->items);
    memset(names, 0, sizeof *names);
}

PyObject *attribute_names_to_python(attribute_names *names)
{
    PyObject *list = PyList_New(0);

    for (size_t k = 0; list != NULL && k < names->n; k++) {
        PyObject *name = PyUnicode_FromString(names->items[k]);
        if (name == NULL || PyList_Append(list, name) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    attribute_names_clear(names);
    return list;
}

bool attribute_from_python(const char *name, int code, Py_ssize_t cell_bytes, PyObject *memory,
                           xta_attribute *attribute, Py_buffer *view)
{
    if (PyObject_GetBuffer(memory, view, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    memset(attribute, 0, sizeof *attribute);
    attribute->name = name;
    attribute->type = (xta_type)code;
    attribute->cell_bytes = (size_t)cell_bytes;
    attribute->count = cell_bytes > 0 ? (size_t)(view->len / cell_bytes) : 0;
    attribute->values = view->buf;
    return true;
}
