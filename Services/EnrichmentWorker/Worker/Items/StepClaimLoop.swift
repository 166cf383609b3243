import JSONRPC
import Logging
import NIOConcurrencyHelpers
import ProviderClient
import SuiteMethods

/// Keeps a claim for one kind of step, such as reading a library file or sending a webhook, open at the host while there is room for another step.
struct StepClaimLoop<Step: Sendable>: Sendable {
    /// How a kind of step is claimed and carried out.
    struct Work: Sendable {
        /// The name of the steps in the log.
        var name: String
        /// Maximum number of steps that the worker holds at a time, including those waiting for an engine.
        var atOnce: Int
        /// A slot is taken before a step is claimed, and freed when the step ends or while it waits for a model.
        var places: ReadingPlaces
        var claim: @Sendable (RPCConnection) async throws(RPCError) -> Step?
        var run: @Sendable (Step, RPCConnection) async -> Void
    }

    let host: RPCClient
    let work: Work
    let logger: Logger
    private let refusals = NIOLockedValueBox(LogOnce())

    init(host: RPCClient, work: Work, logger: Logger) {
        self.host = host
        self.work = work
        self.logger = logger
    }

    /// Claims steps until the task is cancelled, then waits for the steps in progress to end.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                if running == work.atOnce {
                    _ = await group.next()
                    running -= 1
                }
                await work.places.take()
                guard let (step, connection) = await claim() else {
                    await work.places.give()
                    continue
                }
                group.addTask {
                    await work.run(step, connection)
                    await work.places.give()
                }
                running += 1
            }
        }
    }

    private func claim() async -> (Step, RPCConnection)? {
        do throws(RPCError) {
            try await host.waitUntilConnected(within: StepClaimPause.connection)
            // The step belongs to this connection; once it has closed, the step belongs to the host again.
            guard let connection = host.connection else { return nil }
            let step = try await work.claim(connection)
            if refusals.withLockedValue({ $0.end() }) { logger.notice("the host accepts \(work.name) claims again") }
            return step.map { ($0, connection) }
        } catch {
            guard case .remote = error.kind else {
                try? await Task.sleep(for: StepClaimPause.failure)
                return nil
            }
            if refusals.withLockedValue({ $0.note("\(error)") }) {
                logger.warning("the host refuses \(work.name) claims", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: StepClaimPause.refusal)
            return nil
        }
    }
}

/// How long a ``StepClaimLoop`` waits.
private enum StepClaimPause {
    /// How long to wait for a connection at a time.
    static let connection = Duration.seconds(60)
    /// Delay after a claim that the host refused.
    static let refusal = Duration.seconds(1)
    /// Delay after a claim that was lost.
    static let failure = Duration.milliseconds(50)
}
