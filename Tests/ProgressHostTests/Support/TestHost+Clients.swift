import BookstrackContract
import GRDB
import NIOCore
import SuiteMethods
import SuiteStorage

@testable import ProgressHost

extension TestHost {
    static let jobID = JobID("job-under-test")!

    /// Starts a job of `count` books.
    @discardableResult
    func create(
        _ id: JobID = jobID, books count: Int, digest: String = "digest", pipeline: Pipeline = .batchEnrichment,
        origin: JobOrigin = JobOrigin(client: "c")
    ) throws -> CreatedJob {
        try create(
            id, (0..<count).map { BookQuery(title: "Book \($0)", author: "Author \($0)") }, digest: digest,
            pipeline: pipeline, origin: origin)
    }

    @discardableResult
    func create(
        _ id: JobID = jobID, _ queries: [BookQuery], digest: String = "digest", pipeline: Pipeline = .batchEnrichment,
        origin: JobOrigin = JobOrigin(client: "c")
    ) throws -> CreatedJob {
        try perform(durable: true) { engine, turn in
            try engine.create(id, pipeline: pipeline, digest: digest, items: queries, origin: origin, turn)
        }
    }

    /// Opens a socket.
    func open(
        _ id: JobID = jobID, token: String?, reconnect: Bool = false, since: Int? = nil, v1: Bool = false
    ) throws -> SocketID {
        let socket = nextSocket()
        let request = SocketRequest(jobId: id, token: token, reconnect: reconnect, since: since, v1: v1)
        try perform(writes: false) { [proxy] engine, turn in
            try engine.connections.open(socket, request, from: proxy, turn)
        }
        return socket
    }

    /// Sends a client's message.
    func say(_ text: String, on socket: SocketID) throws {
        let key = SocketKey(peer: proxy.id, socket: socket)
        try perform(writes: false) { engine, turn in try engine.connections.receive(text, from: key, turn) }
    }

    /// Opens a socket whose client is ready immediately.
    func watch(_ id: JobID = jobID, token: String?) throws -> SocketID {
        let socket = try open(id, token: token)
        try say(#"{"type":"ready"}"#, on: socket)
        return socket
    }

    /// Reports bytes from the client that are not a message.
    func alive(_ socket: SocketID) throws {
        let key = SocketKey(peer: proxy.id, socket: socket)
        try perform(writes: false) { engine, turn in engine.connections.heard(key, turn) }
    }

    /// Reports that a socket has accepted a page.
    func caughtUp(_ socket: SocketID) throws {
        let key = SocketKey(peer: proxy.id, socket: socket)
        try perform(writes: false) { engine, _ in engine.streams.caughtUp(key) }
        advance(by: .zero)
    }

    /// Reports that a socket has closed.
    func closed(_ socket: SocketID) throws {
        let key = SocketKey(peer: proxy.id, socket: socket)
        try perform(writes: false) { engine, _ in engine.streams.forget(key) }
    }

    func resume(_ sockets: ResumeSockets.LiveSocket...) throws {
        try perform(writes: false) { [proxy] engine, turn in try engine.connections.resume(sockets, from: proxy, turn) }
    }

    func cancel(_ id: JobID = jobID, token: String?) throws -> CancelOutcome {
        try perform(durable: true) { engine, turn in try engine.cancel(JobAccess(jobId: id, token: token), turn) }
    }

    func retry(_ id: JobID = jobID, token: String) throws -> RetryOutcome {
        try perform(durable: true) { engine, turn in try engine.retryFailed(JobAccess(jobId: id, token: token), turn) }
    }

    func state(_ id: JobID = jobID, token: String?) throws -> JobState {
        try perform(writes: false) { engine, turn in try engine.state(JobAccess(jobId: id, token: token), turn) }
    }

    func refresh(_ id: JobID = jobID, token: String) throws -> TokenRefreshed {
        try perform(durable: true) { engine, turn in
            try engine.tokens.refresh(TokenRefreshRequest(jobId: id, oldToken: token), turn)
        }
    }

    /// Examples of rows that break an invariant of the database.
    func violations() throws -> [String] {
        try pool.read { db in try JobInvariant.all().flatMap { try $0.violations(db, limit: 9).examples } }
    }

    /// Every row of the results, in order.
    func resultRows(_ id: JobID = jobID) async throws -> [EnrichedBook] {
        var rows: [EnrichedBook] = []
        var cursor: Int? = 0
        while let at = cursor {
            let page = try await results.page(of: id, cursor: at)
            let text = "[" + String(buffer: page.rows) + "]"
            rows += try BookRows.decode(text)
            cursor = page.next
        }
        return rows
    }
}
