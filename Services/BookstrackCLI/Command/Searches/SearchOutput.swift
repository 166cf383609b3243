import ArgumentParser

/// How the verbs of `bookstrack search` print what was found.
struct SearchOutput: ParsableArguments {
    @Flag(help: "Print the data of the API's answer as JSON, one document per answer.")
    var json = false

    @Flag(help: "Print the addresses of covers in full.")
    var covers = false

    func validate() throws {
        guard !json || !covers else { throw ValidationError("--json prints covers in full; leave --covers out.") }
    }

    /// Columns of a table. A file has room for long ones.
    var width: Int { StandardStreams.outputColumns ?? 200 }
}
