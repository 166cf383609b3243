import BookstrackContract
import JSONRPC
import LibraryImport
import Logging
import NIOCore
import Observability
import ProviderClient
import SuiteMethods

/// Delivers the content of one file to progress-host, one call at a time, on the connection on which its step was claimed.
///
/// A call that the host cannot accept at the moment is repeated, unless the connection has closed (the step then goes to another worker) or the task
/// has been cancelled.
struct StepDelivery {
    /// Why delivery has stopped.
    enum Stop: Error {
        /// The host no longer accepts the step.
        case unwanted
        /// The connection has closed, or the task was cancelled.
        case disconnected
        /// The host refused the call: a bug in this program.
        case refused(RPCError)
    }

    private static let pause = Duration.milliseconds(250)

    let step: ReadingStep
    let connection: RPCConnection
    let clock: any SuiteClock
    let logger: Logger
    private(set) var pages = 0
    private(set) var bytesRead = 0
    private var phase = ImportPhase.parsing

    init(_ step: ReadingStep, _ connection: RPCConnection, clock: any SuiteClock, logger: Logger) {
        self.step = step
        self.connection = connection
        self.clock = clock
        self.logger = logger
    }

    /// Reports the bytes of the file read so far, averaged over all passes, and the phase.
    mutating func progress(_ bytes: Int, _ phase: ImportPhase) {
        bytesRead = max(bytesRead, bytes)
        self.phase = phase
        reportProgress()
    }

    /// Renews the step's lease until `wait` returns: the wait for a model's answer and then for a permit may take longer than the lease.
    func renewingLease<Value>(during wait: () async -> Value) async -> Value {
        await clock.renewingLease({ [self] in reportProgress() }, during: wait)
    }

    private func reportProgress() {
        let phase = pages > 0 ? .saving : phase
        connection.notify(ImportProgress.self, .init(key: step.key, phase: phase, bytesRead: bytesRead))
    }

    /// Delivers a page; throws ``Stop``.
    mutating func deliver(_ page: ImportPage) async throws {
        let rows = RecordImportRows(
            head: .init(
                key: step.key, page: pages, part: page.part, rowCount: page.count, bytesRead: bytesRead,
                queries: step.enrich && page.part == .books ? page.queries : nil),
            rows: page.json)
        let raw = try rows.raw()
        try await send {
            let answer = try await connection.callRaw(
                RecordImportRows.name, raw, deadline: RecordImportRows.deadline)
            return try BodyCoding.decode(StepAnswer.self, from: answer)
        }
        pages += 1
    }

    /// Completes the step after everything has been delivered; throws ``Stop``.
    ///
    /// - Parameter model: The model that identified columns; nil if no model did.
    func finish(_ summary: ImportSummary, modelUsed model: String?) async throws {
        let parameters = FinishImport.Parameters(key: step.key, pages: pages, summary: summary, modelUsed: model)
        try await send { try await connection.call(FinishImport.self, parameters) }
    }

    /// Ends the step with a fault; throws ``Stop``.
    func fail(_ fault: ImportFault) async throws {
        let parameters = FailImport.Parameters(key: step.key, failure: fault)
        try await send { try await connection.call(FailImport.self, parameters) }
    }

    /// Returns the step to the host, even from a cancelled task.
    func release() async {
        let call = Task { [connection, step] in _ = try? await connection.call(ReleaseImport.self, .init(key: step.key))
        }
        await call.value
    }

    private func send(_ call: () async throws -> StepAnswer) async throws {
        var faults = LogOnce()
        while true {
            do {
                guard try await call().isWanted else { throw Stop.unwanted }
                return
            } catch let error as RPCError {
                guard connection.isOpen, !Task.isCancelled else { throw Stop.disconnected }
                guard error.mayRepeatDelivery else { throw Stop.refused(error) }
                if faults.note("\(error)") {
                    logger.warning(
                        "progress-host did not accept a delivery; retrying",
                        metadata: ["jobId": "\(step.key.jobId)", "error": "\(error)"])
                }
                try? await clock.sleep(until: clock.now.advanced(by: Self.pause))
                // Renews the lease while the worker waits.
                reportProgress()
            }
        }
    }
}

extension SuiteClock {
    /// Calls `renew`, which renews a step's lease, every 15 s until `wait` returns.
    func renewingLease<Value>(_ renew: @escaping @Sendable () -> Void, during wait: () async -> Value) async -> Value {
        let renewing = Task {
            while (try? await sleep(until: now.advanced(by: .seconds(15)))) != nil { renew() }
        }
        defer { renewing.cancel() }
        return await wait()
    }
}

extension RPCError {
    /// Whether a failed delivery may be repeated while the connection is open. A repeated delivery has no further effect, so a call without a
    /// response is repeated, too.
    var mayRepeatDelivery: Bool {
        switch kind {
        case .deadlineExceeded, .overloaded: true
        case .remote: applicationCode == APIErrorCode.serviceUnavailable.rawValue
        default: false
        }
    }
}
