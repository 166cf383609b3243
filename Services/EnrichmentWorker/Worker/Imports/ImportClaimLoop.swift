import JSONRPC
import Logging
import NIOConcurrencyHelpers
import ProviderClient
import SuiteMethods

/// Keeps a claim of a library file waiting at the host while there is capacity for another file.
struct ImportClaimLoop: Sendable {
    /// Maximum number of files that the worker holds: those that it reads, and those that wait for a model.
    private static let atOnce = 10
    /// How long to wait for a connection at a time.
    private static let connectionWait = Duration.seconds(60)
    /// Pause after a claim that the host refused.
    private static let refusalPause = Duration.seconds(1)
    /// Pause after a claim that was lost.
    private static let failurePause = Duration.milliseconds(50)

    let host: RPCClient
    let reader: ImportReader
    let waitMilliseconds: Int
    let logger: Logger
    private let refusals = NIOLockedValueBox(LogOnce())

    init(host: RPCClient, reader: ImportReader, waitMilliseconds: Int, logger: Logger) {
        self.host = host
        self.reader = reader
        self.waitMilliseconds = waitMilliseconds
        self.logger = logger
    }

    /// Claims until the task is cancelled; steps in progress are then handed back.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                if running == Self.atOnce {
                    _ = await group.next()
                    running -= 1
                }
                await reader.places.take()
                guard let (step, connection) = await claim() else {
                    await reader.places.give()
                    continue
                }
                group.addTask {
                    await reader.read(step, connection)
                    await reader.places.give()
                }
                running += 1
            }
        }
    }

    private func claim() async -> (ReadingStep, RPCConnection)? {
        do throws(RPCError) {
            try await host.waitUntilConnected(within: Self.connectionWait)
            // The step belongs to this connection: if the connection has ended, the step belongs to the host again.
            guard let connection = host.connection else { return nil }
            let answer = try await connection.call(ClaimImport.self, .init(waitMilliseconds: waitMilliseconds))
            if refusals.withLockedValue({ $0.end() }) { logger.notice("import claims are granted again") }
            return answer.step.map { ($0, connection) }
        } catch {
            guard case .remote = error.kind else {
                try? await Task.sleep(for: Self.failurePause)
                return nil
            }
            if refusals.withLockedValue({ $0.note("\(error)") }) {
                logger.warning("import claims are refused", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: Self.refusalPause)
            return nil
        }
    }
}
