import GRDB
import JSONRPC
import NIOCore

/// One run of the engine inside one transaction: the database, and the time that counts as "now" throughout the run.
struct Turn {
    let db: Database
    let now: Moment

    var jobs: JobStore { JobStore(db: db) }
    var items: ItemStore { ItemStore(db: db) }
    var imports: ImportStore { ImportStore(db: db) }
    var scans: ScanStore { ScanStore(db: db) }
    var later: LaterStore { LaterStore(db: db) }
    var updates: UpdateStore { UpdateStore(db: db) }
    var webhooks: WebhookStore { WebhookStore(db: db) }
    var tokens: TokenHashStore { TokenHashStore(db: db) }
    var rollups: RollupStore { RollupStore(db: db) }
    var audit: AuditStore { AuditStore(db: db) }
    var sweep: SweepStore { SweepStore(db: db) }
}

/// An external effect. It runs only after the transaction that caused it has been committed (Services/README.md rule 4).
struct Effect {
    let commit: () -> Void
    /// Called instead if the transaction failed, for a waiting caller that would otherwise receive no response.
    let abandon: (HostFailure) -> Void

    init(commit: @escaping () -> Void, abandon: @escaping (HostFailure) -> Void = { _ in }) {
        self.commit = commit
        self.abandon = abandon
    }
}

/// Replies to a caller. Called exactly once, except for claims (``EngineThread/post(writes:bytes:_:refuse:)``).
typealias Reply<Value> = @Sendable (Result<Value, HostFailure>) -> Void

/// Keeps the previous values of entries that a turn changes, so the turn can be undone if its transaction fails.
struct UndoLog<Key: Hashable, Value> {
    private var before: [Key: Value?] = [:]

    /// Records that the entry at `key`, currently `value`, is about to change. Only the first change in a turn counts.
    mutating func note(_ key: Key, was value: Value?) {
        if before.index(forKey: key) == nil { before.updateValue(value, forKey: key) }
    }

    /// Ends the turn and returns the previous values of the changed entries.
    mutating func take() -> [Key: Value?] {
        guard !before.isEmpty else { return before }
        defer { before = [:] }
        return before
    }
}

/// Identifies the connection to another process, for example to an api-proxy or an enrichment-worker.
typealias PeerID = RPCConnectionID

/// A connection to another process. The engine sends only notifications over it.
protocol PeerLink: Sendable {
    var id: PeerID { get }
    /// Number of bytes waiting to be written to the process.
    var bufferedBytes: Int { get }
    /// Returns false if the message was not queued, for example because the connection has closed or its peer has stopped reading.
    @discardableResult
    func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool
}

extension RPCConnection: PeerLink {}
