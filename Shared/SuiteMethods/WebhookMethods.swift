package import BookstrackContract
package import JSONRPC

/// Claims a webhook to send. Answered by progress-host when a webhook is due, or without one after `waitMilliseconds`.
///
/// Only one claim may wait per connection; a second claim replaces the first, which is answered without a webhook. A webhook whose outcome is not
/// recorded within half a minute is handed out again.
///
/// Application errors: `INVALID_REQUEST` if the worker is not attached (``AttachWorker``), `SERVICE_UNAVAILABLE`.
package enum ClaimWebhook: RPCMethod {
    package typealias Parameters = ClaimImport.Parameters
    package static let name = "webhooks.claim"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(40)

    package struct Result: Codable, Sendable {
        /// The webhook to send; nil if none is due.
        package var webhook: WebhookCall?

        package init(webhook: WebhookCall?) { self.webhook = webhook }
    }
}

/// A webhook to send: the results of an ended job have improved (jobs.md "Webhooks").
package struct WebhookCall: Codable, Sendable, Equatable {
    /// The webhook's identifier, the same in every attempt.
    package var id: String
    /// Number of earlier failed attempts.
    package var attempt: Int
    /// The URL to call.
    package var url: String
    /// Identifier of the job whose results have improved.
    package var jobId: JobID
    /// See `EnrichmentResults.resultsRevision`.
    package var resultsRevision: Int
    /// Number of improved rows.
    package var improved: Int

    package init(id: String, attempt: Int, url: String, jobId: JobID, resultsRevision: Int, improved: Int) {
        self.id = id
        self.attempt = attempt
        self.url = url
        self.jobId = jobId
        self.resultsRevision = resultsRevision
        self.improved = improved
    }
}

/// Records the outcome of one attempt to send a webhook. Repeating the call has no effect. Answered by progress-host.
package enum RecordWebhook: RPCMethod {
    package typealias Result = Nothing
    package static let name = "webhooks.record"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The webhook's identifier.
        package var id: String
        /// As in ``WebhookCall``.
        package var attempt: Int
        /// Why the attempt failed, as a word such as `status_503`; nil if it succeeded.
        package var fault: String?

        package init(id: String, attempt: Int, fault: String?) {
            self.id = id
            self.attempt = attempt
            self.fault = fault
        }
    }
}
