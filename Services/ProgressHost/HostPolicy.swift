import Observability
import ServiceKit
import SuiteMethods

/// Every limit and interval of the host. The defaults of those that can be set are the settings' own.
struct HostPolicy: Sendable {
    /// How long frames wait for a client's `ready` (websocket.md "Connection lifetime").
    var readyTimeout = SettingKey.readyTimeout.fallback
    /// Idle time before a peer is pinged (websocket.md "Heartbeat").
    var pingInterval = SettingKey.pingInterval.fallback
    /// Idle time before a peer is disconnected.
    var silenceTimeout: Duration { pingInterval * 3 }
    /// Minimum time between progress events of a job (websocket.md "Throttle").
    var progressInterval = SettingKey.progressInterval.fallback
    /// Idle time of a running job before watchers get a keep-alive (websocket.md "Heartbeat"): sockets of shipped clients time out after
    /// 10 s.
    var keepAliveInterval = SettingKey.keepAlive.fallback
    /// How long the client may take to close the socket itself after a completed scan or import (websocket.md
    /// "Connection lifetime").
    var clientCloseTimeout: Duration = .seconds(10)
    /// How long a tokenless connection waits for its job.
    var jobAppearanceTimeout: Duration = .seconds(60)
    /// Lifetime of tokens (websocket.md "Tokens").
    var tokens = TokenPolicy()
    /// Retries of items (jobs.md "Retries").
    var retries = RetryPolicy()
    /// How long results are kept after a job ends (jobs.md "Ends").
    var resultsTTL = SettingKey.resultsTTL.fallback
    /// How long background retries keep results and tokens beyond their due time (jobs.md "Retries").
    var backgroundGrace: Duration = .seconds(3_600)
    /// How long a round of later work must be quiet before followers are notified of its improvements, and the longest time until they are.
    var roundPause: Duration = .seconds(2)
    var roundLimit: Duration = .seconds(600)
    /// How long a client may follow the results after the end of the job (websocket.md "Following the results").
    var followLimit: Duration = .seconds(3_600)
    /// How long acknowledgements wait to be stored together.
    var acknowledgementPause: Duration = .seconds(1)
    /// Webhooks (jobs.md "Webhooks").
    var webhooks = WebhookPolicy()
    /// Minimum time between two retries of a job on request, each of which asks every provider again.
    var retryPause: Duration = .seconds(60)
    /// How long a job may run (jobs.md "Ends").
    var jobDeadline: Duration = .seconds(86_400)
    /// How long a worker may hold an item (jobs.md "Work").
    var leaseTimeout: Duration = .seconds(120)
    /// How long items of jobs that were open at the start are reserved for the workers that were processing them.
    var returnGrace = AttachWorker.grace
    /// Jobs of at most this many items take precedence over larger ones (jobs.md "Work").
    var interactiveLimit = 5
    /// Maximum number of immediate follow-ups of an item before it waits for a background round.
    var followUpSteps = 8
    /// Items of one job that are handed out per turn: the batch size of requests to Open Library (metadata.md
    /// "Lookup").
    var claimChunk = 25
    /// Maximum bytes of books in a `job_complete` (websocket.md "Payloads").
    var completionBooksLimit = 900 << 10
    /// Number of a job's newest events that are kept for `since=`.
    var eventsKept = 2_000
    /// Stored events that are sent to a socket before it has to acknowledge them: half of the frames that may wait for
    /// a slow reader (websocket.md "Slow readers").
    var eventsPerPage = 32
    /// Maximum bytes of past events that are sent in a turn; further streams wait for a later one.
    var streamBytesPerTurn = 1 << 20
    /// Maximum bytes waiting for an api-proxy; beyond it, the streams of its sockets wait, too.
    var streamBytesPerLink = 8 << 20
    /// Jump of open jobs' `seq` after an unclean stop of the machine (websocket.md "Frames").
    var uncleanStopJump = 1_000
    /// Maximum number of open drafts of large jobs.
    var draftLimit = 64
    /// Maximum number of items that all open drafts may announce together.
    var draftItemLimit = 200_000
    /// How long a draft waits for its next page.
    var draftTimeout: Duration = .seconds(60)
    /// Maximum rows of removed jobs that are deleted in a turn, so that no command waits behind a large job.
    var rowsPerSweep = 2_000
    /// Bytes of photos that are kept of ended scans; the oldest photos go first (scans.md "Life").
    var photoBytes = SettingKey.maxUploadBytesTotal.fallback / 2
    /// How long a reserved import waits for its file (imports.md "Life").
    var uploadTimeout: Duration = .seconds(60)
    /// Time until the first check whether the file of a reserved import arrived although its api-proxy is gone.
    var uploadCheckInterval: Duration = .seconds(1)
    /// Number of attempts to read a file that may lose their worker before the import fails.
    var readingAttempts = 3
    /// Maximum items of a cancelled or failed job that are ended in one step, so that no command waits behind a large
    /// job.
    var itemsEndedPerStep = 5_000
    /// Maximum number of items in a job (http-api.md "Starting a job").
    var itemLimit = 10_000
    /// Whether sockets and deprecated routes work without a token (websocket.md "v1 dialect").
    var tokenlessAllowed = SettingKey.legacyTokenless.fallback
}

extension HostPolicy {
    /// The policy as configured (configuration.md).
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
        // The other half is for uploads that arrive or wait to be read.
        photoBytes = settings[.maxUploadBytesTotal] / 2
    }
}

/// When failed items are tried again (jobs.md "Retries").
struct RetryPolicy: Sendable {
    /// Maximum waits within a job; each wait is random between zero and its maximum (full jitter).
    var withinJob: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// Waits after the job's end.
    var background: [Duration] = [.seconds(3_600), .seconds(4 * 3_600), .seconds(24 * 3_600)]

    /// The consequence of a failure.
    enum Step: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// The consequence of a failed attempt after `attempts` earlier ones; `jitter` is a random number from 0 up to 1.
    func afterFailure(attempts: Int, retryable: Bool, jitter: Double) -> Step {
        guard retryable, withinJob.indices.contains(attempts) else { return .giveUp }
        return .retry(after: withinJob[attempts] * jitter)
    }

    /// The first round of the background retries that is due after `now`, nil when there is none left.
    func nextBackground(after now: Int64, endedAt: Int64) -> (round: Int, due: Int64)? {
        for (round, wait) in background.enumerated() where endedAt + wait.milliseconds > now {
            return (round, endedAt + wait.milliseconds)
        }
        return nil
    }
}
