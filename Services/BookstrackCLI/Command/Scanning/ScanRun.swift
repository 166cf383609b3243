import BookstrackContract
import Foundation
import ProgressClient

/// Uploads photos of a shelf, shows how they are read, and collects the books.
struct ScanRun {
    let api: APIClient
    let output: ProgressOutput
    let tokens: SavedTokens
    var calls = RetryingCalls()

    /// Starts the scan. A repetition after a lost answer gives the same job.
    func start(_ upload: PhotoUpload) async throws -> StartedBatchScan {
        output.show(status: "Uploading \(upload.summary)")
        do {
            let started = try await calls.make(output) {
                try await api.startScan(upload.body, contentType: upload.contentType)
            }
            tokens.keep(started.token, of: started.jobId, at: api.http.address, output)
            return started
        } catch let refusal as APIRefusal {
            throw CommandFailure(ofScan: refusal)
        }
    }

    /// The books, once every photo is read and every book is looked up. Throws `CommandFailure` if no photo could be read.
    func results(of started: StartedBatchScan, names: [String]) async throws -> ScanResults {
        let watcher = JobWatcher(
            address: api.http.address, job: started.jobId, token: started.token, pause: calls.pause)
        var progress = ScanProgress(output, names: names)
        let ending: JobEnding
        do {
            ending = try await watcher.watch { update in
                switch update {
                case .interrupted(let reason, let delay):
                    progress.note("\(reason); connecting again in \(delay.components.seconds) s.")
                case .frame(_, let frame): progress.take(frame)
                }
            }
        } catch {
            progress.finish()
            throw error
        }
        progress.finish()
        for failure in progress.failures { output.note(failure) }
        switch ending {
        case .completed: return try await calls.make(output) { try await api.scanResults(of: started.jobId) }
        case .failed(let payload): throw CommandFailure(.jobFailed, "no photo could be read: \(payload.message)")
        case .cancelled: throw CommandFailure(.cancelled, "the scan was cancelled")
        }
    }

    /// The books of a scan that has ended. Throws `CommandFailure` if it was cancelled or failed.
    func results(ofEnded job: JobID) async throws -> ScanResults {
        do {
            return try await calls.make(output) { try await api.scanResults(of: job) }
        } catch let refusal as APIRefusal where refusal.code == .notFound {
            guard case .text(let status)? = refusal.details["status"] else { throw refusal }
            throw CommandFailure(
                status == JobStatus.cancelled.rawValue
                    ? .cancelled : status == JobStatus.failed.rawValue ? .jobFailed : .tryLater, refusal.message)
        }
    }
}

extension CommandFailure {
    /// Why photos were refused.
    fileprivate init(ofScan refusal: APIRefusal) {
        switch (refusal.code, refusal.status) {
        case (.scannerUnavailable, _):
            self.init(
                .unavailable,
                "\(refusal); the server needs BOOKSTRACK_GEMINI_API_KEY, BOOKSTRACK_VISION_BASE_URL or the shelf reader"
            )
        case (.quotaExhausted, _):
            self.init(.limited, "\(refusal); the server's limit is BOOKSTRACK_SCAN_DAILY_BUDGET")
        case (_, 413), (_, 415): self.init(.badInput, refusal.description)
        default: self.init(refusal)
        }
    }
}

extension ScanResults {
    /// Photos that could not be read and books to review count like books that were not found.
    var exitStatus: ExitStatus {
        needsReview == 0 && totalDetected > 0 && photos.allSatisfy { $0.status == .complete } ? .success : .incomplete
    }
}
