public import ArgumentParser
import BookstrackClient
public import BookstrackContract
import Foundation
import NIOConcurrencyHelpers

/// `bookstrack import FILE`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a library file.",
        discussion: """
            FILE is an export from Goodreads, StoryGraph, LibraryThing, Calibre, BookWyrm or many other reading apps, or any table with \
            a column of titles or ISBNs, in any language. - is standard input. The format and the columns are recognized \
            automatically; --preview shows the result, and --map corrects the columns.

            The library is available once the file has been read, usually within a second. Its metadata is then looked up in the background; \
            Ctrl-C only stops watching.
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var file: String

    @Flag(help: "Show what would be imported, without importing it.")
    var preview = false

    @Option(help: ArgumentHelp("The application that wrote the file, if it is not recognized.", valueName: "name"))
    var format: LibraryFormat?

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "Assign a role such as title, author or isbn to a column, given by its header or its number, counted from 0; repeatable.",
            valueName: "column=role"))
    var mapping: [MappingArgument] = []

    @Flag(name: .customLong("no-enrich"), help: "Do not look up metadata.")
    var withoutEnrichment = false

    @Flag(name: .customLong("no-ai"), help: "Do not ask an AI model what unknown columns mean.")
    var withoutModel = false

    @OptionGroup var server: ServerOptions

    @Flag(help: "Print the results as JSON.")
    var json = false

    func run() async throws {
        try await runVerb {
            let library = try LibraryFile(
                argument: file, format: format, mapping: mapping, mayAskModel: !withoutModel)
            let output = ProgressOutput.standard(json: false)
            let run = ImportRun(client: try server.client(output), output: output)
            return try await preview ? show(run.preview(library)) : perform(library, run)
        }
    }

    private func show(_ preview: ImportPreview) throws -> ExitStatus {
        StandardStreams.writeOutput(
            json ? try OutputOptions.json(preview) : ImportText(style: .standard).text(preview))
        return .success
    }

    private func perform(_ library: LibraryFile, _ run: ImportRun) async throws -> ExitStatus {
        let jobs = NIOLockedValueBox<[JobID]>([])
        let interrupt = InterruptHandler {
            let jobs = jobs.withLockedValue(\.self)
            return jobs.isEmpty ? "The server has not confirmed the import." : RunState.interruptMessage(to: jobs)
        }
        defer { withExtendedLifetime(interrupt) {} }
        let address = try server.address()
        let started = try await run.start(library, enriches: !withoutEnrichment)
        jobs.withLockedValue { $0 = [started.jobId] + (started.enrichment.map { [$0.jobId] } ?? []) }
        let results = try await run.results(of: started)
        StandardStreams.writeOutput(
            json
                ? try ImportText(style: .standard).text(results, of: started.jobId, as: .json)
                : ImportText(style: .standard).text(results, of: started.jobId, at: address))
        guard let enrichment = started.enrichment else { return results.exitStatus }
        jobs.withLockedValue { $0 = [enrichment.jobId] }
        let report = await run.watch(enrichment, books: results.booksCreated)
        run.output.note(ImportText.notice(report))
        return results.exitStatus.combined(with: report.exitStatus)
    }
}

extension LibraryFormat: ExpressibleByArgument {}

extension ImportResults {
    /// Rows that could not be used count like books that were not found.
    fileprivate var exitStatus: ExitStatus { errors.isEmpty ? .success : .incomplete }
}
