import BookstrackClient
import BookstrackContract

/// Uploads a library file, waits until it is read, and watches the lookup of its metadata.
struct ImportRun {
    let client: BookstrackClient
    let output: ProgressOutput
    var calls = RetryingCalls()

    /// The result that an import of the file would have.
    func preview(_ file: LibraryFile) async throws -> ImportPreview {
        try await calls.make(output) { () async throws -> ImportPreview in try await client.preview(file: file) }
    }

    /// Starts the import. A repetition after a lost answer gives the same job (imports.md "Routes").
    func start(_ file: LibraryFile, jobID: JobID = .random(), enriches: Bool) async throws -> StartedImport {
        try await calls.make(output) { () async throws -> StartedImport in
            try await client.importLibrary(file: file, jobID: jobID, enriches: enriches)
        }
    }

    /// The books, once the file is read. Throws `CommandFailure` if it cannot be used.
    func results(of started: StartedImport) async throws -> ImportResults {
        let last = try await client.watch(started.jobId) { update in
            switch update {
            case .interrupted(let interruption): output.note(interruption.text)
            case .event(let event):
                if case .progress(let payload) = event.content { output.show(payload.status, payload.percentage) }
            case .frame: break
            }
        }
        switch last.content {
        case .failed(let error): throw CommandFailure(.badInput, error.message)
        case .cancelled: throw CommandFailure(.cancelled, "the import was cancelled")
        default: return try await fetch(started.jobId)
        }
    }

    /// The books of an import that has ended. Throws `CommandFailure` if it was cancelled or its file could not be used.
    func results(ofEnded job: JobID) async throws -> ImportResults {
        do {
            return try await fetch(job)
        } catch let refusal as BookstrackError where refusal.serverCode == .notFound {
            guard case .text(let status)? = refusal.details["status"] else { throw refusal }
            throw CommandFailure(status == JobStatus.cancelled.rawValue ? .cancelled : .badInput, refusal.message)
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
