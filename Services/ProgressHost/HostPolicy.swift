import Observability
import ServiceKit
import SuiteMethods

/// Limits and intervals of progress-host. Configurable ones have the defaults of their settings.
struct HostPolicy: Sendable {
    /// How long frames wait for a client's `ready` (websocket.md "Connection lifetime").
    var readyTimeout = SettingKey.readyTimeout.fallback
    /// Idle time before a client is pinged (websocket.md "Heartbeat").
    var pingInterval = SettingKey.pingInterval.fallback
    /// Idle time before a client is disconnected.
    var silenceTimeout: Duration { pingInterval * 3 }
    /// Minimum time between progress events of a job, with the exceptions listed in websocket.md "Throttle".
    var progressInterval = SettingKey.progressInterval.fallback
    /// Idle time of an open job before watchers receive a keep-alive (websocket.md "Heartbeat"). It should be below the 10 s after which the
    /// sockets of shipped clients time out.
    var keepAliveInterval = SettingKey.keepAlive.fallback
    /// How long the client may take to close the socket itself after a completed scan or import (websocket.md
    /// "Connection lifetime").
    var clientCloseTimeout: Duration = .seconds(10)
    /// How long a connection without a token waits for its job.
    var jobAppearanceTimeout: Duration = .seconds(60)
    /// Lifetime and rotation of tokens (websocket.md "Tokens").
    var tokens = TokenPolicy()
    /// When failed items are retried (jobs.md "Retries").
    var retries = RetryPolicy()
    /// Minimum time for which results are kept after a job ends (jobs.md "Ends").
    var resultsTTL = SettingKey.resultsTTL.fallback
    /// Minimum time for which results and tokens are kept after a retry, a follow-up or a webhook is due (jobs.md "Retries").
    var backgroundGrace: Duration = .seconds(3_600)
    /// How long a round of follow-ups and retries must be quiet before followers are notified of its improvements.
    var roundPause: Duration = .seconds(2)
    /// Maximum time between a round's first improvement and the notification of followers.
    var roundLimit: Duration = .seconds(600)
    /// How long a client may follow the results after the terminal frame (websocket.md "Following the results").
    var followLimit: Duration = .seconds(3_600)
    /// How long acknowledgments are collected before they are stored together.
    var acknowledgmentPause: Duration = .seconds(1)
    /// Limits and intervals for webhooks (jobs.md "Webhooks").
    var webhooks = WebhookPolicy()
    /// Minimum time between requested retries of a job, because each one queries every provider again.
    var retryPause: Duration = .seconds(60)
    /// How long a job may run (jobs.md "Ends").
    var jobDeadline: Duration = .seconds(86_400)
    /// How long a worker may hold an item (jobs.md "Work"), or a reading step after its last message about the step (imports.md "Life").
    var leaseTimeout: Duration = .seconds(120)
    /// How long after startup, or after storage begins to work, no items of earlier jobs are handed out, so workers that hold such items can attach
    /// first.
    var returnGrace = AttachWorker.grace
    /// Jobs with at most this many items have high priority unless a different one is requested (jobs.md "Work").
    var interactiveLimit = 5
    /// Maximum number of times that an item's follow-up is repeated immediately; after that, the item waits for a background round.
    var followUpSteps = 8
    /// Maximum number of items handed out each time it is a job's turn: the batch size of requests to Open Library (metadata.md "Lookup").
    var claimChunk = 25
    /// Maximum size in bytes of the books in a `job_complete` (websocket.md "Payloads") or a `batch-complete`.
    var completionBooksLimit = 900 << 10
    /// Minimum number of a job's newest events kept for `since=`.
    var eventsKept = 2_000
    /// Maximum number of stored events in a page; the next page is sent when the socket has taken this one. Half the number of frames that may
    /// wait for a slow reader (websocket.md "Slow readers").
    var eventsPerPage = 32
    /// Number of bytes of past events sent in one turn, after which further streams wait for a later turn.
    var streamBytesPerTurn = 1 << 20
    /// Number of bytes that an item counts toward ``streamBytesPerTurn`` if it is read to find the counts or events of a job that is not in
    /// memory: reading it takes about as long as sending that many bytes.
    var streamBytesPerItem = 32
    /// Number of bytes waiting to be written to an api-proxy at which the streams of its sockets wait, too.
    var streamBytesPerLink = 8 << 20
    /// How far open jobs' `seq` jumps after an unclean shutdown of the machine (websocket.md "Frames") or the restoration of a backup (Backups.md).
    var uncleanStopJump = 1_000
    /// Maximum number of open drafts of large jobs.
    var draftLimit = 64
    /// Maximum total number of items announced by open drafts.
    var draftItemLimit = 200_000
    /// How long a draft waits for its next page.
    var draftTimeout: Duration = .seconds(60)
    /// Maximum number of items of removed jobs that are deleted in one turn, so no command waits behind a large job.
    var rowsPerSweep = 2_000
    /// Size of the photos of ended scans, in bytes, above which the oldest photos are deleted (scans.md "Life").
    var photoBytes = SettingKey.maxUploadBytesTotal.fallback / 2
    /// How long a reserved import or scan waits for its files (imports.md "Life").
    var uploadTimeout: Duration = .seconds(60)
    /// Delay before the first check for the files of a reserved import or scan. api-proxy may have stopped before it could report their arrival.
    var uploadCheckInterval: Duration = .seconds(1)
    /// Number of lost reading attempts after which an import, or one photo of a scan, fails.
    var readingAttempts = 3
    /// Maximum number of jobs whose deadlines are handled at a time, so no command waits behind all of them.
    var deadlinesPerStep = 500
    /// Maximum number of items that are ended in one step when a job is cancelled or fails with its import, so no command waits behind a large job.
    var itemsEndedPerStep = 5_000
    /// Maximum number of items with which a job can be started (http-api.md "Starting a job").
    var itemLimit = 10_000
    /// The start of an enrichment is refused if it would give all open jobs together more items without an outcome than this (jobs.md "Work").
    var openItemLimit = 2_000_000
    /// The start of an enrichment is refused if it would give the client's open jobs more items without an outcome than this.
    var openItemsPerClient = 300_000
    /// Whether sockets and deprecated routes work without a token for every job (websocket.md "v1 dialect").
    var tokenlessAllowed = SettingKey.legacyTokenless.fallback
}

extension HostPolicy {
    /// Creates the configured policy (configuration.md).
    init(_ settings: Settings) {
        self.init()
        readyTimeout = settings[.readyTimeout]
        pingInterval = settings[.pingInterval]
        progressInterval = settings[.progressInterval]
        keepAliveInterval = settings[.keepAlive]
        tokens.ttl = settings[.tokenTTL]
        tokens.refreshWindow = settings[.tokenRefreshWindow]
        resultsTTL = settings[.resultsTTL]
        tokenlessAllowed = settings[.legacyTokenless]
        // The other half is for uploads that are arriving or whose jobs are open.
        photoBytes = settings[.maxUploadBytesTotal] / 2
    }
}

/// When failed items are retried (jobs.md "Retries").
struct RetryPolicy: Sendable {
    /// Maximum delays within a job; each delay is random between zero and its maximum (full jitter).
    var withinJob: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// Delays of background retries after the job's end.
    var background: [Duration] = [.seconds(3_600), .seconds(4 * 3_600), .seconds(24 * 3_600)]

    /// What happens after a failure.
    enum Step: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// The next step after a failed attempt that followed `attempts` earlier attempts; `jitter` is a random number in 0..<1.
    func afterFailure(attempts: Int, retryable: Bool, jitter: Double) -> Step {
        guard retryable, withinJob.indices.contains(attempts) else { return .giveUp }
        return .retry(after: withinJob[attempts] * jitter)
    }

    /// The first background retry round due after `now`; nil if none is left.
    func nextBackground(after now: Int64, endedAt: Int64) -> (round: Int, due: Int64)? {
        for (round, wait) in background.enumerated() where endedAt + wait.milliseconds > now {
            return (round, endedAt + wait.milliseconds)
        }
        return nil
    }
}
