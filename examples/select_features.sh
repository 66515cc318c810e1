#!/usr/bin/env bash
# From a table to a table of only the features that matter, in a folder of its own. LAND: the program, if not in PATH.
set -euo pipefail
land=${LAND:-land}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$land" generate paper "$folder/data.csv" --features 200 --samples 300
"$land" select "$folder/data.csv" --target Y --features 10 --quiet --output "$folder/selected.tsv" --write-table "$folder/small.csv"

echo "the three most relevant:"
tail -n +2 "$folder/selected.tsv" | head -3 | cut -f 3
echo "columns: $(head -1 "$folder/data.csv" | tr , '\n' | wc -l), then $(head -1 "$folder/small.csv" | tr , '\n' | wc -l)"
