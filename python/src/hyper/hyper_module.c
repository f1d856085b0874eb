/* The extension module xta._hyper: calls of libxta_hyper. A module of its own, so that nothing else
 * needs OpenBLAS.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/hyper_module.h"

#include "hyper/basis_object.h"
#include "hyper/finding.h"
#include "hyper/following.h"
#include "hyper/mapping.h"
#include "hyper/scene_object.h"
#include "hyper/scoring.h"
#include "hyper/synthesis.h"
#include "hyper/training.h"

static PyMethodDef hyper_methods[] = {
    {"open_scene", scene_open, METH_VARARGS, "open_scene(...); see xta.hyper.open"},
    {"inquire_scene", scene_inquire, METH_O, "inquire_scene(scene); see xta.hyper.Scene"},
    {"read_scene", scene_read, METH_VARARGS, "read_scene(...); see xta.hyper.Scene.read"},
    {"find_simplex", find_simplex, METH_VARARGS, "find_simplex(...); see xta.hyper.endmembers"},
    {"find_ppi", find_ppi, METH_VARARGS, "find_ppi(...); see xta.hyper.endmembers"},
    {"find_amee", find_amee, METH_VARARGS, "find_amee(...); see xta.hyper.endmembers"},
    {"moments", moments_run, METH_VARARGS, "moments(...); see xta.hyper.moments"},
    {"count", count_run, METH_VARARGS, "count(...); see xta.hyper.count"},
    {"make_basis", basis_make, METH_VARARGS, "make_basis(...); see xta.hyper.pct"},
    {"read_basis", basis_read, METH_O, "read_basis(path); see xta.hyper.read_basis"},
    {"write_basis", basis_write, METH_VARARGS, "write_basis(...); see xta.hyper.Basis.write"},
    {"inquire_basis", basis_inquire, METH_O, "inquire_basis(basis); see xta.hyper.Basis"},
    {"project", mapping_project, METH_VARARGS, "project(...); see xta.hyper.project"},
    {"unmix", mapping_unmix, METH_VARARGS, "unmix(...); see xta.hyper.unmix"},
    {"label", mapping_label, METH_VARARGS, "label(...); see xta.hyper.classify"},
    {"classify", training_run, METH_VARARGS, "classify(...); see xta.hyper.classify_supervised"},
    {"score_labels", scoring_labels, METH_VARARGS, "score_labels(...); see xta.hyper.score_labels"},
    {"score_endmembers", scoring_endmembers, METH_VARARGS,
     "score_endmembers(...); see xta.hyper.score_endmembers"},
    {"follow_open", follow_open, METH_VARARGS, "follow_open(...); see xta.hyper.follow"},
    {"follow_update", follow_update, METH_O, "follow_update(follower); see xta.hyper.Follower"},
    {"follow_endmembers", follow_endmembers, METH_O,
     "follow_endmembers(follower); see xta.hyper.Follower"},
    {"follow_close", follow_close, METH_O, "follow_close(follower); see xta.hyper.Follower"},
    {"synthesize", synthesize, METH_VARARGS, "synthesize(...); see xta.hyper.synth"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "xta._hyper",
    .m_doc = "Calls of libxta_hyper. Use xta.hyper.",
    .m_size = -1,
    .m_methods = hyper_methods,
};

PyMODINIT_FUNC PyInit__hyper(void)
{
    xta_python.errors = PyImport_ImportModule("xta.errors");
    return xta_python.errors != NULL ? PyModule_Create(&definition) : NULL;
}
