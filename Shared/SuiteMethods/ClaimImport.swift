package import BookstrackContract
package import JSONRPC
package import Observability

/// Claims a library file to read. The call is answered when there is a file, or without a file after `waitMilliseconds`.
///
/// Only one claim may wait per connection; a second claim replaces the first, which is answered without a step. The lease of a reading step ends with
/// its import, with ``ReleaseImport``, with the connection, or two minutes after the last message about the step.
///
/// Application errors: `INVALID_REQUEST` if the worker is not attached (``AttachWorker``), `SERVICE_UNAVAILABLE`.
package enum ClaimImport: RPCMethod {
    package static let name = "imports.claim"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(40)

    package struct Parameters: Codable, Sendable {
        /// Maximum wait for a file in milliseconds, up to 30 000.
        package var waitMilliseconds: Int

        package init(waitMilliseconds: Int) { self.waitMilliseconds = waitMilliseconds }
    }

    package struct Result: Codable, Sendable {
        /// The file to read, if there is one.
        package var step: ReadingStep?

        package init(step: ReadingStep?) { self.step = step }
    }
}

/// A library file leased to a worker.
package struct ReadingStep: Codable, Sendable {
    /// The import and the attempt number.
    package var key: ReadingStepKey
    /// Absolute path of the file in the data directory.
    package var path: String
    /// Name of the file as given by the client.
    package var fileName: String
    /// Size of the file in bytes.
    package var bytes: Int
    /// The reader's options as JSON text, as received by ``BeginImport``.
    package var options: String
    /// Whether the pages that contain books must also contain the queries for the linked job.
    package var enrich: Bool
    /// The trace and request that started the job, as in ``ClaimedItem``.
    package var traceId: String?
    package var requestId: String?

    package init(
        key: ReadingStepKey, path: String, fileName: String, bytes: Int, options: String, enrich: Bool,
        trace: TraceContext? = nil
    ) {
        self.key = key
        self.path = path
        self.fileName = fileName
        self.bytes = bytes
        self.options = options
        self.enrich = enrich
        traceId = trace?.traceID
        requestId = trace?.ownRequestID
    }

    /// The trace and request that started the job; nil if unknown.
    package var trace: TraceContext? { traceId.flatMap { TraceContext(traceID: $0, requestID: requestId) } }
}

/// Identifies one attempt to read an import's file or a scan's photos. What earlier attempts deliver is ignored (imports.md "Life").
package struct ReadingStepKey: Codable, Sendable, Hashable {
    /// Identifier of the import or scan.
    package var jobId: JobID
    /// Number of the attempt, from 1.
    package var attempt: Int

    package init(jobId: JobID, attempt: Int) {
        self.jobId = jobId
        self.attempt = attempt
    }
}

/// Reports the progress of a reading step and renews its lease. Sent by enrichment-worker.
package enum ImportProgress: RPCNotification {
    package static let name = "imports.progress"

    package struct Parameters: Codable, Sendable {
        /// The step whose file is being read.
        package var key: ReadingStepKey
        /// The current phase.
        package var phase: ImportPhase
        /// Bytes of the file read so far, averaged over all passes; equal to the file's size at the end.
        package var bytesRead: Int

        package init(key: ReadingStepKey, phase: ImportPhase, bytesRead: Int) {
            self.key = key
            self.phase = phase
            self.bytesRead = bytesRead
        }
    }
}

/// Returns an unfinished step, for example because the worker is stopping; this does not count as a failed attempt.
package enum ReleaseImport: RPCMethod {
    package typealias Result = Nothing
    package static let name = "imports.release"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Parameters: Codable, Sendable {
        /// The returned step.
        package var key: ReadingStepKey

        package init(key: ReadingStepKey) { self.key = key }
    }
}
