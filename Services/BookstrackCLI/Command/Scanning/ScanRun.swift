import BookstrackClient
import BookstrackContract
import Foundation

/// Uploads photos of a shelf, shows the progress of reading them, and collects the books.
struct ScanRun {
    let client: BookstrackClient
    let output: ProgressOutput
    var calls = RetryingCalls()

    /// Starts the scan. Repeating it after a lost response returns the same job.
    func start(_ upload: PhotoUpload) async throws -> StartedBatchScan {
        output.show(status: "Uploading \(upload.summary)")
        defer { output.clear() }
        do {
            return try await calls.make(output) { () async throws -> StartedBatchScan in
                try await client.scan(photos: upload.photos.map(\.bytes), jobID: upload.jobId)
            }
        } catch let refusal as BookstrackError where refusal.isRefusal {
            throw CommandFailure(ofScan: refusal)
        }
    }

    /// The books, once the scan is complete. Throws if it fails or is cancelled, or if a call fails.
    func results(of started: StartedBatchScan, names: [String]) async throws -> ScanResults {
        do {
            let last = try await watch(started, names)
            switch last.content {
            // Polling does not reveal the reason, but reading the results does.
            case .failed(let error) where error.code == .jobFailed: return try await results(ofEnded: started.jobId)
            case .failed(let error): throw CommandFailure(.jobFailed, "no photo could be read: \(error.message)")
            case .cancelled: throw CommandFailure(.cancelled, "the scan was cancelled")
            default: return try await fetch(started.jobId)
            }
        } catch let error as BookstrackError {
            throw CommandFailure(error, reading: started.jobId)
        }
    }

    /// Shows the progress until the last event, and returns that event.
    private func watch(_ started: StartedBatchScan, _ names: [String]) async throws -> JobEvent {
        var progress = ScanProgressDisplay(output, names: names)
        let last: JobEvent
        do {
            defer { progress.finish() }
            last = try await client.watch(started.jobId) { update in
                switch update {
                case .interrupted(let interruption): progress.note(interruption.text)
                case .event(let event): progress.take(event)
                case .frame: break
                }
            }
        }
        for failure in progress.failures { output.note(failure) }
        return last
    }

    /// The books of a scan. Throws if it was cancelled or has not ended, if it failed and no retry has found a book since, or if the call fails.
    func results(ofEnded job: JobID) async throws -> ScanResults {
        do {
            return try await fetch(job)
        } catch let refusal as BookstrackError where refusal.serverCode == .notFound {
            guard case .text(let status)? = refusal.details["status"] else { throw refusal }
            throw CommandFailure(ExitStatus(withoutResults: status, failed: .jobFailed), refusal.message)
        }
    }

    private func fetch(_ job: JobID) async throws -> ScanResults {
        try await calls.make(output) { () async throws -> ScanResults in try await client.scanResults(of: job) }
    }
}

extension CommandFailure {
    /// Why photos were refused.
    fileprivate init(ofScan refusal: BookstrackError) {
        switch (refusal.serverCode, refusal.status) {
        case (.scannerUnavailable, _):
            self.init(
                .unavailable,
                "\(refusal); the server needs BOOKSTRACK_GEMINI_API_KEY, BOOKSTRACK_VISION_BASE_URL or the shelf reader; "
                    + "see the state of its engines with: bookstrack status"
            )
        case (.quotaExhausted, _):
            self.init(
                .limited, "\(refusal); the limit is the server's BOOKSTRACK_SCAN_DAILY_BUDGET or its AI service's quota"
            )
        case (_, 413), (_, 415): self.init(.badInput, refusal.description)
        default: self.init(refusal)
        }
    }
}

extension ScanResults {
    /// `incomplete` if a book needs review, a photo could not be read, or no book was found.
    var exitStatus: ExitStatus {
        needsReview == 0 && totalDetected > 0 && photos.allSatisfy { $0.status == .complete } ? .success : .incomplete
    }
}
