package import BookstrackContract
package import JSONRPC

/// `pushProgress(jobId, …)` of v1, answered by progress-host. api-proxy offers it as `pushJobProgress` and forwards the calls.
///
/// It changes only the status text; counts come from items (Services/README.md "JSON-RPC"). A text that shipped clients would take for the end of the
/// job is not shown (websocket.md "Payloads"). Application errors: `NOT_FOUND`, `INVALID_REQUEST` if the job has ended or there is no text,
/// `SERVICE_UNAVAILABLE`.
package enum PushProgress: RPCMethod {
    package typealias Result = Nothing
    package static let name = "pushProgress"
    /// The method's name at api-proxy.
    package static let proxyName = "pushJobProgress"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job whose status text changes.
        package var jobId: JobID
        /// v1's `currentStatus`; if absent, the newer `status` is used.
        package var currentStatus: String?
        /// The newer name for the same text.
        package var status: String?

        package init(jobId: JobID, status: String) {
            self.jobId = jobId
            self.status = status
        }

        /// The text to display; nil if the call has none.
        package var text: String? { currentStatus ?? status }
    }
}

/// `closeConnection(jobId, reason)` of v1, answered by progress-host. api-proxy offers it as `closeJobConnection` and forwards the calls.
///
/// Before the terminal event, closes the job's sockets with 1012; afterwards, closes with 1000 those that have received the event (websocket.md
/// "Close codes"). Application errors: `NOT_FOUND`, `SERVICE_UNAVAILABLE`.
package enum CloseConnection: RPCMethod {
    package typealias Result = Nothing
    package static let name = "closeConnection"
    /// The method's name at api-proxy.
    package static let proxyName = "closeJobConnection"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job whose sockets are closed.
        package var jobId: JobID
        /// The reason in the close frame.
        package var reason: String?

        package init(jobId: JobID, reason: String?) {
            self.jobId = jobId
            self.reason = reason
        }
    }
}

/// `enrichBatch(jobId, workIds, options)` of v1, answered by enrichment-worker: starts a job whose items are `workIds`.
///
/// Application errors: those of `CreateJob`; `INVALID_REQUEST` also for an empty list, too long a list or an invalid entry; `SERVICE_UNAVAILABLE`
/// also if progress-host does not answer.
package enum EnrichBatch: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "enrichBatch"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        package var jobId: JobID
        package var workIds: [String]
        package var options: Options?

        package init(jobId: JobID, workIds: [String], options: Options? = nil) {
            self.jobId = jobId
            self.workIds = workIds
            self.options = options
        }
    }

    /// v1 documents the parameter without any members, so no members are read.
    package struct Options: Codable, Sendable {
        package init() {}
    }
}
