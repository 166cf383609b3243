package import BookstrackContract
package import JSONRPC

/// Asks for a webhook to send; answered when one is due, or with none after `waitMilliseconds`. Answered by progress-host.
///
/// One claim may wait per connection; a second one replaces the first. A webhook whose outcome is not recorded within half a minute is
/// handed out again.
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

/// A webhook that is to be sent: the results of an ended job have become better (jobs.md "Webhooks").
package struct WebhookCall: Codable, Sendable, Equatable {
    /// The same in every try.
    package var id: String
    /// Number of earlier tries that have failed.
    package var attempt: Int
    /// Where to send it.
    package var url: String
    /// The job.
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

/// Records the outcome of one try to send a webhook. Repeating it changes nothing. Answered by progress-host.
package enum RecordWebhook: RPCMethod {
    package typealias Result = Nothing
    package static let name = "webhooks.record"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The webhook's.
        package var id: String
        /// As in ``WebhookCall``.
        package var attempt: Int
        /// Why the try failed, in a word; nil for a success.
        package var fault: String?

        package init(id: String, attempt: Int, fault: String?) {
            self.id = id
            self.attempt = attempt
            self.fault = fault
        }
    }
}
