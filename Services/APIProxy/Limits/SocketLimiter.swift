import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import ServiceKit
import SuiteMethods

/// Counts open sockets in total, per job and per client. Event streams, and requests that wait for a job's next event or its end, count as sockets.
final class SocketLimiter: Sendable {
    /// A socket that is counted until `leave` is called with it.
    struct Permit: Sendable, Equatable {
        /// The watched job; nil for a connection that carries several jobs, each of which has a permit of its own.
        fileprivate var job: JobID?
        fileprivate var client: ClientNetwork
    }

    private struct Counts {
        var total = 0
        var jobs: [JobID: Int] = [:]
        var clients: [ClientNetwork: Int] = [:]
        /// Promises that succeed when no socket is left or the time to wait for that is up.
        var emptied: [EventLoopPromise<Void>] = []
    }

    private let limits: SocketLimits
    private let counts = NIOLockedValueBox(Counts())

    init(limits: SocketLimits) { self.limits = limits }

    /// Number of counted sockets.
    var total: Int { counts.withLockedValue(\.total) }

    /// Number of counted sockets, and the maximum.
    var figure: QueueFigure { QueueFigure(length: total, limit: limits.total) }

    /// Counts a socket. Throws 429 if a job or a client has too many sockets, 503 if there are too many in total (websocket.md "Upgrade").
    func enter(job: JobID?, client: ClientNetwork) throws(APIFailure) -> Permit {
        let refusal: APIFailure? = counts.withLockedValue { counts in
            guard counts.total < limits.total else {
                return APIFailure(.serviceUnavailable, "Too many connections are open.", retryAfter: 30)
            }
            guard job.map({ counts.jobs[$0, default: 0] < limits.perJob }) ?? true else {
                return APIFailure(.tooManyConnections, "Too many connections are watching this job.", retryAfter: 30)
            }
            guard counts.clients[client, default: 0] < limits.perAddress else {
                return APIFailure(.tooManyConnections, "Too many connections from this address.", retryAfter: 30)
            }
            counts.total += 1
            if let job { counts.jobs[job, default: 0] += 1 }
            counts.clients[client, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
        return Permit(job: job, client: client)
    }

    func leave(_ permit: Permit) {
        let emptied = counts.withLockedValue { counts -> [EventLoopPromise<Void>] in
            counts.total -= 1
            if let job = permit.job { counts.jobs.decrement(job) }
            counts.clients.decrement(permit.client)
            guard counts.total == 0 else { return [] }
            defer { counts.emptied = [] }
            return counts.emptied
        }
        for promise in emptied { promise.succeed() }
    }

    /// Waits until no socket is left, for at most `limit`.
    func emptied(within limit: TimeAmount, on eventLoop: any EventLoop) async {
        let promise = eventLoop.makePromise(of: Void.self)
        let isEmpty = counts.withLockedValue { counts in
            if counts.total > 0 { counts.emptied.append(promise) }
            return counts.total == 0
        }
        if isEmpty { promise.succeed() }
        let timer = eventLoop.scheduleTask(in: limit) { self.giveUp() }
        try? await promise.futureResult.get()
        timer.cancel()
    }

    private func giveUp() {
        let waiting = counts.withLockedValue { counts in
            defer { counts.emptied = [] }
            return counts.emptied
        }
        for promise in waiting { promise.succeed() }
    }
}

/// How many sockets may be open at the same time (configuration.md `BOOKSTRACK_MAX_SOCKETS…`).
struct SocketLimits {
    var total = SettingKey.maxSockets.fallback
    var perJob = SettingKey.maxSocketsPerJob.fallback
    var perAddress = SettingKey.maxSocketsPerAddress.fallback
}
