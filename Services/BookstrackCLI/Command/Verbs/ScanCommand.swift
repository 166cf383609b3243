import ArgumentParser
import BookstrackContract
import NIOConcurrencyHelpers

/// `bookstrack scan PHOTO…`
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Recognize the books in photos of a shelf.",
        discussion: """
            Takes up to \(ScanLimit.photos) JPEG, PNG, WebP or HEIC photos. A book in several photos is listed once. Approved books need no \
            review: the spine was read with confidence, and the match is beyond doubt.

            Once the photos are uploaded, the scan does not depend on this command, and Ctrl-C only stops watching.
            """)

    @Argument(help: ArgumentHelp("The photos.", valueName: "photo"), completion: .file())
    var photos: [String]

    @Option(
        name: .customLong("annotate"),
        help: ArgumentHelp(
            "Write each photo as SVG to this folder, with a numbered box around each book.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @OptionGroup var server: ServerOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...ScanLimit.photos).contains(photos.count) else {
            throw ValidationError("Give 1 to \(ScanLimit.photos) photos.")
        }
    }

    func run() async throws {
        try await runVerb {
            let upload = try PhotoUpload(files: photos)
            let annotations = try folder.map { try AnnotationFolder($0) }
            let progress = ProgressOutput.standard(json: false)
            let run = ScanRun(client: try server.client(progress), output: progress)
            let results = try await results(of: upload, run)
            let names = upload.photos.map(\.name)
            output.write(try ScanText(style: .standard).text(results, as: output.format, names: names))
            for path in try annotations?.write(upload.photos, results) ?? [] { run.output.note("Boxes: \(path)") }
            return results.exitStatus
        }
    }

    private func results(of upload: PhotoUpload, _ run: ScanRun) async throws -> ScanResults {
        let job = NIOLockedValueBox<JobID?>(nil)
        let interrupt = InterruptHandler {
            job.withLockedValue(\.self).map { RunState.interruptMessage(to: [$0]) }
                ?? "The server has not confirmed the scan."
        }
        defer { interrupt.cancel() }
        let started = try await run.start(upload)
        job.withLockedValue { $0 = started.jobId }
        return try await run.results(of: started, names: upload.photos.map(\.name))
    }
}
