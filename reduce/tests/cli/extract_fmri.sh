# Regions of a mask taken out of a real fMRI session equal NumPy's, as statistics and as cells.
# SPDX-License-Identifier: Apache-2.0
data=${XTA_DATA:-$XTA_SOURCE_DIR/../shared/data}/nifti/haxby2001/bold.nii.gz
[ -e "$data" ] || { echo "SKIPPED: no $data"; exit 77; }
python3 -c 'import nibabel, numpy' 2>/dev/null || { echo "SKIPPED: no nibabel"; exit 77; }
xta help import | grep -q nifti || xta import "$data" probe >/dev/null 2>&1 ||
    { echo "SKIPPED: this build does not read NIfTI"; exit 77; }
python3 "$XTA_SOURCE_DIR/reduce/tests/cli/extract_fmri.py" "$data" 2>&1
