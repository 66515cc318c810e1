#!/usr/bin/env bash
# Selects features with Slurm: an array of jobs scores the parts of a table, then one job selects.
#   submit.sh DATA TARGET PARTS OUT [OPTION...]
# OUT is a .json, .tsv or .csv. OPTIONs, such as --task regression, go to land score and land select alike; M features are
# selected with FEATURES=M submit.sh ... All nodes must see DATA, a file TARGET and OUT under the same names.
# The files of scores and what the jobs print are in OUT.parts.
set -euo pipefail
if [ $# -lt 4 ] || ! [[ $3 =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: submit.sh DATA TARGET PARTS OUT [OPTION...], PARTS a number from 1" >&2
  exit 2
fi
if [ -e "$4" ]; then
  echo "submit.sh: $4 exists; remove it or take another name, else nobody can tell it from the new one" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
parts=$3
logs=$4.parts
mkdir -p "$logs"

score=$(sbatch --parsable --array="1-$parts" --output="$logs/score-%a.log" "$here/score.sbatch" "$@")
score=${score%%;*} # a federation adds the name of a cluster
# If a part fails, the selection is cancelled, instead of waiting for ever.
select=$(sbatch --parsable --dependency="afterok:$score" --kill-on-invalid-dep=yes --output="$logs/select.log" \
  "$here/select.sbatch" "$@")
echo "score $score"
echo "select ${select%%;*}"
