import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import ProviderClient
import SuiteMethods

/// Keeps a claim for one kind of step, such as reading a library file or sending a webhook, open at the host while there is room for another step.
struct StepClaimLoop<Step: Sendable>: Sendable {
    /// How a kind of step is claimed and carried out.
    struct Work: Sendable {
        /// Maximum number of steps that the worker holds at a time, including those waiting for a model.
        var atOnce: Int
        /// The permits, one for each step: acquired before the step is claimed, and released when it ends or while it waits for a model.
        var permits: StepPermits
        var claim: @Sendable (RPCConnection) async throws(RPCError) -> Step?
        var run: @Sendable (Step, RPCConnection) async -> Void
    }

    let host: RPCClient
    let work: Work
    let failures: ClaimFailures

    /// Claims steps until the task is cancelled, then waits for the steps in progress to end.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                if running == work.atOnce {
                    _ = await group.next()
                    running -= 1
                }
                await work.permits.acquire()
                guard let (step, connection) = await claim() else {
                    await work.permits.release()
                    continue
                }
                group.addTask {
                    await work.run(step, connection)
                    await work.permits.release()
                }
                running += 1
            }
        }
    }

    private func claim() async -> (Step, RPCConnection)? {
        do throws(RPCError) {
            try await host.waitUntilConnected(within: ClaimFailures.connectionWait)
            // The step belongs to this connection; once it has closed, the step belongs to the host again.
            guard let connection = host.connection else { return nil }
            let step = try await work.claim(connection)
            failures.end()
            return step.map { ($0, connection) }
        } catch {
            await failures.pause(after: error)
            return nil
        }
    }
}

/// Limits how many steps run at once. A library file holds no permit while it waits for a model, so a slow model delays only the files that need it.
actor StepPermits {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Waits for a permit. Cancellation does not end the wait and need not: a stopping worker ends its steps, which releases their permits.
    func acquire() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// The steps of one kind that are being carried out, so the host can withdraw them.
final class OpenSteps: Sendable {
    private let stops = NIOLockedValueBox<[ReadingStepKey: @Sendable () -> Void]>([:])

    var count: Int { stops.withLockedValue { $0.count } }

    /// - Parameter stop: Stops the step; it may be called after the step has ended.
    func add(_ key: ReadingStepKey, stop: @escaping @Sendable () -> Void) { stops.withLockedValue { $0[key] = stop } }
    func remove(_ key: ReadingStepKey) { stops.withLockedValue { $0[key] = nil } }

    /// Stops the steps of ended jobs (``WorkWithdrawn``).
    func drop(jobs: [JobID]) {
        for (key, stop) in stops.withLockedValue({ $0 }) where jobs.contains(key.jobId) { stop() }
    }
}
