import JSONRPC
import Logging
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import SuiteMethods

/// Keeps one claim per scope open at the host while there is room for its items.
struct ClaimLoop: Sendable {
    let host: RPCClient
    let leased: LeasedItems
    let outbox: OutcomeOutbox
    let runner: ItemRunner
    let policy: WorkerPolicy
    let clock: any SuiteClock
    let failures: ClaimFailures

    /// Makes claims until the task is cancelled or ``LeasedItems/room`` is finished.
    func run() async {
        await withTaskGroup { group in
            for scope in ClaimWork.Scope.allCases { group.addTask { await run(scope) } }
        }
    }

    private func run(_ scope: ClaimWork.Scope) async {
        leased.room.signal()
        for await _ in leased.room.wakes(of: scope) {
            while !Task.isCancelled, !outbox.isFull, let claim = leased.claim(scope, within: policy) {
                let begun = clock.now
                await self.claim(claim)
                if scope == .later { await givePrecedence(since: begun) }
            }
            if Task.isCancelled { return }
        }
    }

    /// Gives first lookups precedence over later items, which need as much CPU time but are not urgent.
    private func givePrecedence(since begun: MonotonicInstant) async {
        guard leased.hasFirstLookups else { return }
        try? await clock.sleep(until: begun.advanced(by: policy.laterPause))
    }

    private func claim(_ parameters: ClaimWork.Parameters) async {
        do throws(RPCError) {
            try await host.waitUntilConnected(within: ClaimFailures.connectionWait)
            // Claimed items belong to this connection; once it has closed, they belong to the host again.
            guard let connection = host.connection else { return }
            let items = try await connection.call(ClaimWork.self, parameters).items
            guard !items.isEmpty else { return }
            failures.end()
            guard connection.isOpen, !Task.isCancelled else { return }
            await runner.start(leased.take(items))
        } catch {
            await failures.pause(after: error)
        }
    }
}

/// What the loops that claim items and steps do after a claim has failed. Lasting refusals are logged once.
struct ClaimFailures: Sendable {
    /// How long to wait for a connection at a time.
    static let connectionWait = Duration.seconds(60)
    /// Delay after a claim that the host refused.
    private static let refusalPause = Duration.seconds(1)
    /// Delay after a claim that failed for another reason, for example because the connection was lost.
    private static let lossPause = Duration.milliseconds(50)

    /// What is claimed, as named in the log.
    let name: String
    let logger: Logger
    private let refusals = NIOLockedValueBox(LogOnce())

    /// Records a successful claim.
    func end() {
        if refusals.withLockedValue({ $0.end() }) { logger.notice("progress-host accepts \(name) claims again") }
    }

    /// Waits until the next claim may be made.
    func pause(after error: RPCError) async {
        guard case .remote = error.kind else {
            try? await Task.sleep(for: Self.lossPause)
            return
        }
        if refusals.withLockedValue({ $0.note("\(error)") }) {
            logger.warning("progress-host refuses \(name) claims", metadata: ["error": "\(error)"])
        }
        try? await Task.sleep(for: Self.refusalPause)
    }
}

/// Wakes one loop; signals that arrive while it works are merged into one.
struct LoopSignal: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    /// One element per wake. Supports a single reader.
    let wakes: AsyncStream<Void>

    init() { (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func signal() { continuation.yield() }

    /// Ends the loop.
    func finish() { continuation.finish() }
}

/// Wakes the claim loops, each of which has its own signal.
struct ClaimSignals: Sendable {
    private let signals = ClaimWork.Scope.allCases.map { (scope: $0, signal: LoopSignal()) }

    /// A stream that yields an element whenever there may be room for more items. Each scope has one loop, which is the only reader.
    func wakes(of scope: ClaimWork.Scope) -> AsyncStream<Void> {
        signals.first { $0.scope == scope }?.signal.wakes ?? AsyncStream { nil }
    }

    func signal() { for (_, signal) in signals { signal.signal() } }

    /// Ends the loops.
    func finish() { for (_, signal) in signals { signal.finish() } }
}
