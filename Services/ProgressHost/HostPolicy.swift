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
    /// Timeout of the client's own close after a completed scan or import (websocket.md "Connection lifetime").
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
    /// Minimum time between two retries of a job on request, each of which asks every provider again.
    var retryPause: Duration = .seconds(60)
    /// How long a job may run (jobs.md "Ends").
    var jobDeadline: Duration = .seconds(86_400)
    /// How long a worker may hold an item (jobs.md "Work").
    var leaseTimeout: Duration = .seconds(120)
    /// How long items of jobs that were open at the start are kept for the workers that were on them.
    var returnGrace = AttachWorker.grace
    /// Jobs of at most this many items go before larger ones (jobs.md "Work").
    var interactiveLimit = 5
    /// Follow-ups of an item that come at once after one another before it waits for a background round.
    var followUpSteps = 8
    /// Items of one job that are handed out in a turn; Open Library's advised batch (metadata.md "Lookup").
    var claimChunk = 25
    /// Bytes of books that a `job_complete` carries (websocket.md "Payloads").
    var completionBooksLimit = 900 << 10
    /// Newest events of a job that are kept for `since=`.
    var eventsKept = 2_000
    /// Stored events that are sent to a socket before it has to have taken them; half of what may wait for a slow reader (websocket.md
    /// "Slow readers").
    var eventsPerPage = 32
    /// Bytes of what has happened so far that are sent in a turn; streams beyond wait for a later one.
    var streamBytesPerTurn = 1 << 20
    /// Bytes that may wait for an api-proxy before streams of its sockets wait too.
    var streamBytesPerLink = 8 << 20
    /// Jump of open jobs' `seq` after an unclean stop of the machine (websocket.md "Frames").
    var uncleanStopJump = 1_000
    /// Drafts of large jobs that may be open at once.
    var draftLimit = 64
    /// Items that open drafts may announce together.
    var draftItemLimit = 200_000
    /// How long a draft waits for its next page.
    var draftTimeout: Duration = .seconds(60)
    /// Rows of removed jobs that are deleted in a turn, so that no command waits behind a large job.
    var rowsPerSweep = 2_000
    /// How long a reserved import waits for its file (imports.md "Life").
    var uploadTimeout: Duration = .seconds(60)
    /// Time until the first check whether the file of a reserved import arrived although its api-proxy is gone.
    var uploadCheckInterval: Duration = .seconds(1)
    /// Attempts to read a file that may lose their worker before the import fails.
    var readingAttempts = 3
    /// Items of a job that is cancelled, or fails with its import, that are ended in a step, so that no command waits behind a large job.
    var itemsEndedPerStep = 5_000
    /// Items a job may have at the most (http-api.md "Starting a job").
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
    }
}

/// When failed items are tried again (jobs.md "Retries").
struct RetryPolicy: Sendable {
    /// Upper bounds of the waits within a job; a wait is drawn evenly from zero to its bound (full jitter).
    var withinJob: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// Waits from the job's end.
    var background: [Duration] = [.seconds(3_600), .seconds(4 * 3_600), .seconds(24 * 3_600)]

    /// What follows a failure.
    enum Step: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// What follows the failure of an attempt that had `attempts` before it; `jitter` is drawn from 0 up to 1.
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
