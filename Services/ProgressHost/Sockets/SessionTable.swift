import BookstrackContract

/// The live sockets, indexed by the job that they follow or wait for. The changes made in a turn can be undone (`UndoLog`).
struct SessionTable {
    private var sessions: [SocketKey: SocketSession] = [:]
    private var watching: [Int64: Set<SocketKey>] = [:]
    private var awaiting: [JobID: Set<SocketKey>] = [:]
    private var perPeer: [PeerID: Int] = [:]
    private var undoLog = UndoLog<SocketKey, SocketSession>()

    var count: Int { sessions.count }

    /// The session of a socket; setting nil removes it.
    subscript(key: SocketKey) -> SocketSession? {
        get { sessions[key] }
        set {
            undoLog.note(key, was: sessions[key])
            put(newValue, at: key)
        }
    }

    /// Sockets that follow a job.
    func watchers(of job: Int64) -> Set<SocketKey> { watching[job] ?? [] }

    /// Sockets without a token whose job does not exist yet.
    func waiting(for id: JobID) -> Set<SocketKey> { awaiting[id] ?? [] }

    /// Sockets of a connection.
    func keys(of peer: PeerID) -> [SocketKey] { perPeer[peer] == nil ? [] : sessions.keys.filter { $0.peer == peer } }

    /// Sockets for which the engine has frames to send.
    var inLine: [SocketKey] { sessions.filter(\.value.isInLine).map(\.key) }

    /// Tokens of live sockets that expire before `limit`, at most `count`.
    func tokens(endingBefore limit: Int64, atMost count: Int) -> Set<Int64> {
        var found: Set<Int64> = []
        for session in sessions.values where session.tokenExpiresAt < limit {
            if let number = session.tokenNumber { found.insert(number) }
            if found.count == count { break }
        }
        return found
    }

    /// Updates the sessions whose token has a new expiry.
    mutating func setExpiry(ofTokens expiries: [Int64: Int64]) {
        for (key, session) in sessions {
            if let number = session.tokenNumber, let expiry = expiries[number] { self[key]?.tokenExpiresAt = expiry }
        }
    }

    /// Called after the commit: discards the undo log.
    mutating func keepChanges() { _ = undoLog.take() }

    /// Called after a failed transaction: restores the sessions that the turn changed.
    mutating func undoChanges() {
        for (key, session) in undoLog.take() { put(session, at: key) }
    }

    private mutating func put(_ new: SocketSession?, at key: SocketKey) {
        let old = sessions[key]
        sessions[key] = new
        if (old == nil) != (new == nil) {
            let held = (perPeer[key.peer] ?? 0) + (new == nil ? -1 : 1)
            perPeer[key.peer] = held > 0 ? held : nil
        }
        guard old?.subject != new?.subject else { return }
        switch old?.subject {
        case .job(let job): Self.remove(key, of: job, from: &watching)
        case .awaited(let id, _): Self.remove(key, of: id, from: &awaiting)
        case nil: break
        }
        switch new?.subject {
        case .job(let job): watching[job, default: []].insert(key)
        case .awaited(let id, _): awaiting[id, default: []].insert(key)
        case nil: break
        }
    }

    private static func remove<Subject>(
        _ key: SocketKey, of subject: Subject, from index: inout [Subject: Set<SocketKey>]
    ) {
        index[subject]?.remove(key)
        if index[subject]?.isEmpty == true { index[subject] = nil }
    }
}
