import BookstrackClient
import BookstrackContract

/// Uploads a library file, waits until it is read, and watches the lookup of its metadata.
struct ImportRun {
    /// How often to check whether the import is waiting for a service that is down.
    private static let interval = Duration.seconds(3)
    private static let waiting = "Waiting to be read"

    let client: BookstrackClient
    let output: ProgressOutput
    var calls = RetryingCalls()

    /// What an import of the file would produce: the recognized columns, the first books and the first unusable rows. Nothing is imported.
    func preview(_ file: LibraryFile) async throws -> ImportPreview {
        try await upload { () async throws -> ImportPreview in try await client.preview(file: file) }
    }

    /// Starts the import. Repeating it after a lost response returns the same job (imports.md "Routes").
    func start(_ file: LibraryFile, jobID: JobID = .random(), enriches: Bool) async throws -> StartedImport {
        try await upload { () async throws -> StartedImport in
            try await client.importLibrary(file: file, jobID: jobID, enriches: enriches)
        }
    }

    private func upload<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
        do {
            return try await calls.make(output, call)
        } catch let refusal as BookstrackError where refusal.isRefusal {
            throw CommandFailure(ofImport: refusal)
        }
    }

    /// The books, once the file is read. Throws if the import fails or is cancelled, or if a call fails.
    func results(of started: StartedImport) async throws -> ImportResults {
        output.show(status: Self.waiting)
        defer { output.clear() }
        let monitoring = Task { await noteMissingService(started.jobId) }
        defer { monitoring.cancel() }
        do {
            let last = try await client.watch(started.jobId) { update in
                switch update {
                case .interrupted(let interruption): output.note(interruption.text)
                case .event(let event):
                    if case .progress(let payload) = event.content { output.show(payload.status, payload.percentage) }
                case .frame: break
                }
            }
            switch last.content {
            // Polling does not reveal the reason, but reading the results does.
            case .failed(let error) where error.code == .jobFailed: return try await results(ofEnded: started.jobId)
            case .failed(let error): throw CommandFailure(.badInput, ImportText.advice(error.message))
            case .cancelled: throw CommandFailure(.cancelled, "the import was cancelled")
            default: return try await fetch(started.jobId)
            }
        } catch let error as BookstrackError {
            throw CommandFailure(error, reading: started.jobId)
        }
    }

    /// Reports, at most once, that the file is waiting because a service is down.
    private func noteMissingService(_ job: JobID) async {
        while (try? await calls.pause(Self.interval)) != nil, !Task.isCancelled {
            guard let service = try? await client.state(of: job).waitingFor, !Task.isCancelled else { continue }
            output.note("\(service) is down; the file will be read once it is back.")
            return output.show(status: Self.waiting)
        }
    }

    /// The books of an import. Throws if it was cancelled or has not ended, if its file could not be used, or if the call fails.
    func results(ofEnded job: JobID) async throws -> ImportResults {
        do {
            return try await fetch(job)
        } catch let refusal as BookstrackError where refusal.serverCode == .notFound {
            guard case .text(let status)? = refusal.details["status"] else { throw refusal }
            throw CommandFailure(
                ExitStatus(withoutResults: status, failed: .badInput), ImportText.advice(refusal.message))
        }
    }

    /// Shows the progress of the linked enrichment job until it ends.
    func watch(_ enrichment: StartedImport.Enrichment, books: Int) async -> JobReport {
        let job = JobsWatch.Job(id: enrichment.jobId, count: books)
        return await JobsWatch(client: client, output: output).run([job]).first ?? JobReport(job: enrichment.jobId)
    }

    private func fetch(_ job: JobID) async throws -> ImportResults {
        try await calls.make(output) { () async throws -> ImportResults in try await client.importResults(of: job) }
    }
}

extension CommandFailure {
    /// Why an upload was refused. A file whose table cannot be used is refused only for a preview; its import starts and then fails.
    fileprivate init(ofImport refusal: BookstrackError) {
        switch refusal.status {
        case 400, 413, 415: self.init(.badInput, ImportText.advice(refusal.description))
        default: self.init(refusal)
        }
    }
}
