import BookstrackContract
import Observability
import SuiteMethods

/// What has happened in a turn: counted when the turn is committed, and dropped if it fails.
struct TurnTally {
    /// An item that received its outcome.
    struct Item {
        var pipeline: Pipeline
        /// The failure; nil for a success.
        var errorCode: ItemErrorCode?
        /// Time since the item's job was accepted.
        var age: Duration
        /// Time since the item was claimed; nil if no worker holds it, or if the worker already held it when it attached.
        var leased: Duration?
    }

    /// Items that were ended together with their job.
    struct EndedItems {
        var pipeline: Pipeline
        var outcome: ItemOutcomeLabel
        var errorCode: ItemErrorCode
        var count: Int
    }

    struct EndedJob {
        var pipeline: Pipeline
        var status: JobStatus
        var duration: Duration
    }

    var created: [StartLabels] = []
    var ended: [EndedJob] = []
    var items: [Item] = []
    var endedItems: [EndedItems] = []
    /// Number of failed attempts that are retried within the job.
    var retries = 0
    /// Number of follow-ups and background retries that succeeded, and number of those that failed.
    var later = (succeeded: 0, failed: 0)
    /// Outcomes of attempts to send webhooks, including one additional outcome for each abandoned webhook.
    var webhooks: [WebhookMetrics.Outcome] = []
    /// Number of files deleted because their jobs no longer need them.
    var uploadsDeleted = 0
    /// Number of reading attempts that ended because their workers were lost.
    var stepsLost = 0
    /// Number of reserved imports and scans whose files never arrived.
    var reservationsDropped = 0
    var events: [EventKind] = []
    var deliveries: [(kind: SocketDelivery.Kind, sockets: Int)] = []

    /// Removes everything, but keeps the capacity for the next turn.
    mutating func clear() {
        created.removeAll(keepingCapacity: true)
        ended.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        endedItems.removeAll(keepingCapacity: true)
        retries = 0
        later = (succeeded: 0, failed: 0)
        webhooks.removeAll(keepingCapacity: true)
        (uploadsDeleted, stepsLost, reservationsDropped) = (0, 0, 0)
        events.removeAll(keepingCapacity: true)
        deliveries.removeAll(keepingCapacity: true)
    }
}

extension TurnTally {
    /// Records an outcome from a worker.
    mutating func note(
        _ errorCode: ItemErrorCode?, of job: JobRow, lease: LeaseTable.Lease?, policy: HostPolicy, at now: Moment
    ) {
        items.append(
            Item(
                pipeline: job.pipeline, errorCode: errorCode,
                age: .milliseconds(max(0, now.elapsed(since: job.createdAt))),
                leased: lease.flatMap { $0.asked == nil ? nil : now.uptime - ($0.until - policy.leaseTimeout) }))
    }

    /// Records an accepted job.
    mutating func noteStart(of job: JobRow) { created.append(StartLabels(job.pipeline, job.source)) }

    /// Records the end of a job, whose row has its final status.
    mutating func noteEnd(of job: JobRow) {
        ended.append(
            EndedJob(
                pipeline: job.pipeline, status: job.status,
                duration: .milliseconds(max(0, (job.endedAt ?? job.createdAt) - job.createdAt))))
    }
}
