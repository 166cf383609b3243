import GRDB
import JSONRPC
import NIOCore

/// One go of the engine inside one transaction: the database, and the moment that counts as now for all that happens in it.
struct Turn {
    let db: Database
    let now: Moment

    var jobs: JobStore { JobStore(db: db) }
    var items: ItemStore { ItemStore(db: db) }
    var imports: ImportStore { ImportStore(db: db) }
    var later: LaterStore { LaterStore(db: db) }
    var tokens: TokenStore { TokenStore(db: db) }
    var sweep: SweepStore { SweepStore(db: db) }
}

/// Something the outside sees. It happens only after the transaction that caused it is committed (Services/README.md rule 4).
struct Effect {
    let commit: () -> Void
    /// Tells a caller that waits, and is not told otherwise, that the transaction failed.
    let abandon: (HostFailure) -> Void

    init(commit: @escaping () -> Void, abandon: @escaping (HostFailure) -> Void = { _ in }) {
        self.commit = commit
        self.abandon = abandon
    }
}

/// Answers a caller, once.
typealias Reply<Value> = @Sendable (Result<Value, HostFailure>) -> Void

/// Remembers what entries of a table were before a turn changed them, so that a turn whose transaction failed can be undone.
struct UndoLog<Key: Hashable, Value> {
    private var before: [Key: Value?] = [:]

    /// Notes that the entry at `key`, now `value`, is about to change. Only the first change of a turn counts.
    mutating func note(_ key: Key, was value: Value?) {
        if before.index(forKey: key) == nil { before.updateValue(value, forKey: key) }
    }

    /// Ends the turn: hands out what changed entries were before it.
    mutating func take() -> [Key: Value?] {
        guard !before.isEmpty else { return before }
        defer { before = [:] }
        return before
    }
}

/// Names a connected api-proxy or enrichment-worker.
typealias PeerID = RPCConnectionID

/// The way to a connected process; the engine only ever sends notifications through it.
protocol PeerLink: Sendable {
    var id: PeerID { get }
    /// Bytes that wait to be written to the process.
    var bufferedBytes: Int { get }
    /// False when the message was not taken, because the connection is over or its peer does not read.
    @discardableResult
    func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool
}

extension RPCConnection: PeerLink {}
