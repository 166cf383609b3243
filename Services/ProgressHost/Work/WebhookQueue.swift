import JSONRPC
import Observability
import SuiteMethods

/// When webhooks are attempted (jobs.md "Webhooks").
struct WebhookPolicy: Sendable {
    /// The times of a webhook's attempts, relative to the first one.
    var tries: [Duration] = [.zero, .seconds(10), .seconds(60), .seconds(600), .seconds(3_600)]
    /// How long a worker may hold a webhook before it is handed out again. The worker itself ends an attempt after five seconds.
    var lease: Duration = .seconds(30)
    /// Minimum time between two webhooks of a job.
    var pause: Duration = .seconds(3_600)

    /// When to try again after `tries` attempts, in milliseconds since 1970; nil if that was the last one.
    func next(after tries: Int, firstAt: Int64) -> Int64? {
        self.tries.indices.contains(tries) ? firstAt + self.tries[tries].milliseconds : nil
    }
}

/// The webhooks waiting for workers, and the workers waiting for webhooks.
///
/// Webhooks and their leases are stored; claims are not. `waiting` is a view of the database.
final class WebhookQueue {
    private let context: EngineContext
    let claims: WaitingClaims<ClaimWebhook.Result>
    /// The number of undelivered webhooks, and when the next one is due.
    private(set) var waiting: (count: Int, next: Int64?) = (0, nil)

    init(_ context: EngineContext) {
        self.context = context
        claims = WaitingClaims(context, nothing: .init(webhook: nil), timer: EngineTimer.webhookClaim)
    }

    /// Called after webhooks have changed: reads how many are undelivered, and when the next one is due.
    func reload(_ turn: Turn) throws {
        waiting = try turn.webhooks.waiting()
        if let next = waiting.next { context.timers.setAtLatest(.webhooks, at: turn.now.uptime(atSettled: next)) }
    }

    /// Answers waiting claims while webhooks are due. Called at the end of each turn while storage works.
    func serveClaims(_ turn: Turn) throws {
        claims.endGivenUp()
        guard !claims.peers.isEmpty, let next = waiting.next, next <= turn.now.settled else { return }
        let leaseEnd = turn.now.settled + context.policy.webhooks.lease.milliseconds
        let calls = try turn.webhooks.take(at: turn.now.settled, limit: claims.peers.count, leaseEnd: leaseEnd)
        for (call, peer) in zip(calls, Array(claims.peers)) { claims.end(of: peer, with: .init(webhook: call)) }
        try reload(turn)
    }
}
