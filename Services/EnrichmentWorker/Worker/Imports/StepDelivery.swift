import BookstrackContract
import JSONRPC
import LibraryImport
import Logging
import NIOCore
import ProviderHTTP
import SuiteMethods

/// Delivers what is found in one file to progress-host, one call at a time, on the connection that its step was claimed on.
///
/// What the host cannot take now is sent again until it does, or until the connection ends and the step is another worker's.
struct StepDelivery {
    /// Why nothing more is delivered.
    enum Stop: Error {
        /// The host does not want the step any more.
        case unwanted
        /// The connection is gone, or the task was cancelled.
        case disconnected
        /// The host refuses what it is sent: a fault of this program.
        case refused(RPCError)
    }

    private static let pause = Duration.milliseconds(250)

    let step: ReadingStep
    let connection: RPCConnection
    let clock: any ProviderClock
    let logger: Logger
    private(set) var pages = 0
    private(set) var bytesRead = 0

    init(_ step: ReadingStep, _ connection: RPCConnection, clock: any ProviderClock, logger: Logger) {
        self.step = step
        self.connection = connection
        self.clock = clock
        self.logger = logger
    }

    /// So many bytes of the file are done with.
    mutating func progress(_ bytes: Int) {
        bytesRead = max(bytesRead, bytes)
        tellProgress()
    }

    private func tellProgress() {
        let phase: ImportPhase = pages > 0 ? .saving : .parsing
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

    /// Everything is delivered; throws ``Stop``.
    func finish(_ summary: ImportSummary) async throws {
        let parameters = FinishImport.Parameters(key: step.key, pages: pages, summary: summary)
        try await send { try await connection.call(FinishImport.self, parameters) }
    }

    /// The file cannot be read; throws ``Stop``.
    func fail(_ fault: ImportFault) async throws {
        let parameters = FailImport.Parameters(key: step.key, failure: fault)
        try await send { try await connection.call(FailImport.self, parameters) }
    }

    /// Hands the step back unread, also from a task that was cancelled.
    func release() async {
        let call = Task { [connection, step] in _ = try? await connection.call(ReleaseImport.self, .init(key: step.key))
        }
        await call.value
    }

    private func send(_ call: () async throws -> StepAnswer) async throws {
        while true {
            do {
                guard try await call().isWanted else { throw Stop.unwanted }
                return
            } catch let error as RPCError {
                guard connection.isOpen, !Task.isCancelled else { throw Stop.disconnected }
                guard Self.mayRepeat(error) else { throw Stop.refused(error) }
                logger.warning("a page is not taken", metadata: ["jobId": "\(step.key.jobId)", "error": "\(error)"])
                try? await clock.sleep(until: clock.now.advanced(by: Self.pause))
                // The step stays this worker's while it waits.
                tellProgress()
            }
        }
    }

    /// Delivering twice does no harm, so whatever may be lost is sent again.
    private static func mayRepeat(_ error: RPCError) -> Bool {
        switch error.kind {
        case .deadlineExceeded, .overloaded: true
        case .remote: error.applicationCode == APIErrorCode.serviceUnavailable.rawValue
        default: false
        }
    }
}
