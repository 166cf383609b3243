package import BookstrackContract
package import JSONRPC

/// An operator's action on a job. It needs no token. The action and its entry in the audit log are committed in one transaction, so neither exists
/// without the other.
///
/// Application errors: `NOT_FOUND`, `JOB_NOT_RETRYABLE`, `RATE_LIMIT_EXCEEDED` within a minute of the last retry of the job, `INVALID_REQUEST` for a
/// change of priority without a `priority` or of a job that has ended, `SERVICE_UNAVAILABLE`.
package enum OperateJob: RPCMethod {
    package static let name = "jobs.operate"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    /// The actions, under their names in the audit log, where the new priority follows `prioritize`.
    package enum Action: String, Codable, Sendable, CaseIterable {
        case cancel
        case retry
        case prioritize
    }

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job to act on.
        package var jobId: JobID
        package var action: Action
        /// The new priority; only for ``Action/prioritize``.
        package var priority: JobPriority?
        /// The operator, for the audit log.
        package var actor: Actor

        package init(jobId: JobID, action: Action, priority: JobPriority? = nil, actor: Actor) {
            self.jobId = jobId
            self.action = action
            self.priority = priority
            self.actor = actor
        }
    }

    package struct Result: Codable, Sendable, Equatable {
        /// The job's state after the action.
        package var status: JobStatus
        /// The outcome in a few words, without a period, for example "Job cancelled".
        package var outcome: String

        package init(status: JobStatus, outcome: String) {
            self.status = status
            self.outcome = outcome
        }
    }
}

/// The operator of a console action: an address and a session, because there are no accounts.
package struct Actor: Codable, Sendable, Equatable {
    /// The client's address.
    package var address: String
    /// Identifies the session, but does not authenticate it; nil without a login.
    package var session: String?

    package init(address: String, session: String?) {
        self.address = address
        self.session = session
    }
}

/// Records an action that is not about a job, such as a login. Answered by progress-host.
///
/// Application errors: `SERVICE_UNAVAILABLE`.
package enum RecordAudit: RPCMethod {
    package static let name = "audit.record"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        package var actor: Actor
        /// The action, such as `login`.
        package var action: String
        /// The target of the action; nil if the action implies it.
        package var subject: String?
        /// The outcome of the action.
        package var outcome: String

        package init(actor: Actor, action: String, subject: String? = nil, outcome: String) {
            self.actor = actor
            self.action = action
            self.subject = subject
            self.outcome = outcome
        }
    }

    package typealias Result = Nothing
}

/// Reads a page of the audit log, newest entries first. The log is read outside the engine.
///
/// Application errors: `INVALID_REQUEST`, `SERVICE_UNAVAILABLE`.
package enum ReadAudit: RPCMethod {
    package static let name = "audit.list"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of entries per page.
    package static let maxPageSize = 200
    /// Number of newest entries kept; older ones are removed from time to time. Failed logins have a lower limit of their own.
    package static let maxEntries = 20_000

    package struct Parameters: Codable, Sendable {
        /// Number of entries per page, from 1 to ``ReadAudit/maxPageSize``.
        package var limit: Int
        /// Only entries with a smaller number than this one; nil for all.
        package var before: Int64?
        /// Only entries about this job; nil for all.
        package var jobId: JobID?

        package init(limit: Int = 50, before: Int64? = nil, jobId: JobID? = nil) {
            self.limit = limit
            self.before = before
            self.jobId = jobId
        }
    }

    package struct Result: Codable, Sendable {
        package var entries: [Entry]
        /// Whether older entries follow.
        package var hasMore: Bool

        package init(entries: [Entry], hasMore: Bool) {
            self.entries = entries
            self.hasMore = hasMore
        }
    }

    package struct Entry: Codable, Sendable, Equatable {
        /// Number of the entry; it increases with time.
        package var number: Int64
        /// When the action happened, in milliseconds since 1970.
        package var at: Int64
        package var actor: Actor
        package var action: String
        /// Target of the action, such as a job's identifier or a provider's name; nil if the action implies it.
        package var subject: String?
        package var outcome: String

        package init(
            number: Int64, at: Int64, actor: Actor, action: String, subject: String?, outcome: String
        ) {
            self.number = number
            self.at = at
            self.actor = actor
            self.action = action
            self.subject = subject
            self.outcome = outcome
        }
    }
}
