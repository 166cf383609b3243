import ArgumentParser

/// How the verbs of `bookstrack search` print what was found.
struct SearchOutput: ParsableArguments {
    @OptionGroup var output: OutputOptions

    @Flag(help: "Print the full addresses of covers below the table.")
    var covers = false

    func validate() throws {
        guard output.format == .table || !covers else {
            throw ValidationError("--covers applies to tables; JSON and CSV always contain the addresses of covers.")
        }
    }

    var form: SearchRun.Form {
        switch output.format {
        case .table: .table(.standard, covers: covers)
        case .json: .json
        case .csv: .csv
        }
    }
}
