import BookstrackContract
import Foundation
import ProgressClient

/// Uploads a library file, waits until it is read, and watches the lookup of its metadata.
struct ImportRun {
    let api: APIClient
    let output: ProgressOutput
    let tokens: SavedTokens
    var calls = RetryingCalls()

    /// The result that an import of the file would have.
    func preview(_ upload: LibraryUpload) async throws -> ImportPreview {
        try await calls.make(output) { try await api.preview(upload.body, contentType: upload.contentType) }
    }

    /// Starts the import. A repetition after a lost answer gives the same job.
    func start(_ upload: LibraryUpload) async throws -> StartedImport {
        let started = try await calls.make(output) {
            try await api.startImport(upload.body, contentType: upload.contentType)
        }
        tokens.keep(started.token, of: started.jobId, at: api.http.address, output)
        if let enrichment = started.enrichment {
            tokens.keep(enrichment.token, of: enrichment.jobId, at: api.http.address, output)
        }
        return started
    }

    /// The books, once the file is read. Throws `CommandFailure` if it cannot be used.
    func results(of started: StartedImport) async throws -> ImportResults {
        let watcher = JobWatcher(
            address: api.http.address, job: started.jobId, token: started.token, pause: calls.pause)
        let ending = try await watcher.watch { update in
            switch update {
            case .interrupted(let reason, let delay):
                output.note("\(reason); connecting again in \(delay.components.seconds) s.")
            case .frame(_, let frame):
                if case .progress(let payload) = frame.content { output.show(payload.status, payload.percentage) }
            }
        }
        switch ending {
        case .completed: return try await calls.make(output) { try await api.importResults(of: started.jobId) }
        case .failed(let payload): throw CommandFailure(.badInput, payload.message)
        case .cancelled: throw CommandFailure(.cancelled, "the import was cancelled")
        }
    }

    /// The books of an import that has ended. Throws `CommandFailure` if it was cancelled or its file could not be used.
    func results(ofEnded job: JobID) async throws -> ImportResults {
        do {
            return try await calls.make(output) { try await api.importResults(of: job) }
        } catch let refusal as APIRefusal where refusal.code == .notFound {
            guard case .text(let status)? = refusal.details["status"] else { throw refusal }
            throw CommandFailure(status == JobStatus.cancelled.rawValue ? .cancelled : .badInput, refusal.message)
        }
    }

    /// Shows the progress of the linked enrichment job until it ends.
    func watch(_ enrichment: StartedImport.Enrichment, books: Int) async -> JobReport {
        let watch = JobsWatch(address: api.http.address, output: output, calls: calls)
        let job = JobsWatch.Job(id: enrichment.jobId, token: enrichment.token, count: books)
        return await watch.run([job]).first ?? JobReport(job: enrichment.jobId)
    }
}
