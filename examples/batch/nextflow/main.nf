// Selects features with Nextflow: a task for each part of a table that scores it, then one that selects.
//   nextflow run main.nf --data X.npy --target y.npy --parts 8 --out selected.json -resume
// Tried with Nextflow 24.10.
params.data = null // the table
params.target = null // a file, or a column of the table
params.features = 100 // how many to select
params.parts = 8 // tasks that score
params.out = 'selected.json' // or .tsv, .csv
params.options = '' // for land score and land select alike, such as: '--task regression'

process score {
    input:
    val part
    path data
    path target_file
    val target

    output:
    path "${part}-of-${params.parts}.scores"

    script:
    """
    land score '$data' --target '$target' --part $part/$params.parts --threads $task.cpus --quiet \
        --output $part-of-${params.parts}.scores $params.options
    """
}

process select {
    publishDir file(params.out).parent, mode: 'copy'

    input:
    path scores
    path data
    path target_file
    val target

    output:
    path "${file(params.out).name}"

    script:
    """
    land select '$data' --target '$target' --features $params.features --threads $task.cpus \
        --output '${file(params.out).name}' --scores $scores $params.options
    """
}

workflow {
    if (params.data == null || params.target == null) error "--data and --target are required"
    data = file(params.data, checkIfExists: true)
    // A target that is a file is staged beside the table, under its name; else it is a column of the table.
    target_file = file("$params.target")
    is_file = target_file.exists()
    target = is_file ? target_file.name : "$params.target"
    beside = is_file ? target_file : []
    scores = score(channel.of(1..params.parts), data, beside, target)
    select(scores.collect(sort: { it.name }), data, beside, target)
}
