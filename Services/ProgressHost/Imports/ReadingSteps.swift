import BookstrackContract
import JSONRPC
import Logging
import SuiteMethods

/// A job whose uploaded files are read by a worker in a leased step: an import or a scan.
protocol OpenUpload: Sendable {
    /// The call with which workers claim steps.
    associatedtype Claim: RPCMethod

    /// The job's number.
    var job: Int64 { get }
    var id: JobID { get }
    /// The client that started the job.
    var client: String { get }
    /// Names of the files in the job's folder.
    var files: [String] { get }
    /// Whether the files have arrived.
    var isUploaded: Bool { get set }
    /// Number of the newest attempt to read the files; 0 before the first attempt.
    var attempt: Int { get }
    /// Number of attempts that lost their workers.
    var lostAttempts: Int { get set }

    /// Begins a new attempt.
    mutating func beginAttempt()
    /// Stores the reading state.
    func store(_ turn: Turn) throws
    /// The files of a job, as handed out to a worker that will read them.
    func claimed(in uploads: UploadFolder, by job: JobRow) -> Claim.Result
}

extension OpenUpload {
    /// Identifies the newest attempt.
    var key: ReadingStepKey { ReadingStepKey(jobId: id, attempt: attempt) }
}

/// Jobs whose files must be read, and the steps in which workers read them: which jobs are waiting, which worker is reading which job, and which
/// workers are waiting for a job (imports.md "Life").
///
/// Leases and claims are never stored: they end with the process. The jobs are a view of the database.
final class ReadingSteps<Upload: OpenUpload> {
    private struct Lease {
        var holder: PeerID
        var attempt: Int
        var until: Duration
    }

    private let context: EngineContext
    private let uploads: UploadFolder
    let claims: WaitingClaims<Upload.Claim.Result>
    private var policy: HostPolicy { context.policy }

    private var jobs: [Int64: Upload] = [:]
    private var numbers: [JobID: Int64] = [:]
    /// The jobs whose files have not arrived.
    private var reservations: Set<Int64> = []
    private var leases: [Int64: Lease] = [:]
    private var leasesBefore = UndoLog<Int64, Lease>()
    /// Clients whose uploads wait to be handed out.
    private var line = ClientLine()
    /// Jobs whose newest attempt has lost its worker, if that has not been counted yet.
    private var lost: Set<Int64> = []
    /// The value of `lost` before this turn.
    private var lostBefore: Set<Int64> = []

    init(_ context: EngineContext, _ uploads: UploadFolder, _ claims: WaitingClaims<Upload.Claim.Result>) {
        self.context = context
        self.uploads = uploads
        self.claims = claims
    }

    // MARK: Jobs

    /// The job with this number, if its files still have to be read; otherwise nil.
    subscript(job: Int64) -> Upload? {
        get { jobs[job] }
        set {
            jobs[job] = newValue
            if newValue?.isUploaded == false { reservations.insert(job) } else { reservations.remove(job) }
        }
    }

    subscript(id: JobID) -> Upload? { numbers[id].flatMap { jobs[$0] } }

    /// The jobs whose files still have to be read.
    var all: some Collection<Upload> { jobs.values }

    /// Number of steps held by workers.
    var leaseCount: Int { leases.count }

    /// Numbers of jobs: those whose files have not arrived, those waiting for a worker, and those being read.
    var counts: (reserved: Int, waiting: Int, reading: Int) {
        (reservations.count, jobs.count - reservations.count - leases.count, leases.count)
    }

    /// Loads a job into memory.
    func open(_ open: Upload, _ turn: Turn) {
        self[open.job] = open
        numbers[open.id] = open.job
        // The files may have arrived already, and the process that moved them may have stopped.
        if !open.isUploaded {
            context.timers.setAtLatest(.reservations, at: turn.now.uptime + policy.uploadCheckInterval)
        }
    }

    /// Removes a job from memory when its files have been read or are no longer wanted. The files stay.
    func forget(_ open: Upload) {
        self[open.job] = nil
        numbers[open.id] = nil
        endLease(of: open.job)
    }

    /// Like `forget`, for a job whose files are deleted after the commit. Returns whether all its files had arrived.
    func close(_ open: Upload) -> Bool {
        forget(open)
        let hasFiles = hasFiles(open)
        if hasFiles { context.tally.uploadsDeleted += open.files.count }
        context.afterCommit(Effect(commit: { [uploads] in uploads.remove(open.id) }))
        return hasFiles
    }

    /// Removes all jobs from memory before they are read again.
    func removeAll() {
        jobs = [:]
        numbers = [:]
        reservations = []
    }

    /// Called after the jobs have been read again: keeps the leases of those whose files must still be read.
    func reload() {
        for job in leases.keys where jobs[job] == nil { endLease(of: job) }
        leasesBefore.forget()
        lost.formIntersection(jobs.keys)
        lostBefore = lost
    }

    /// Reserved jobs, oldest first.
    var reserved: [Upload] { reservations.sorted().compactMap { jobs[$0] } }

    /// Whether all files of a job have arrived.
    func hasFiles(_ open: Upload) -> Bool { open.files.allSatisfy { uploads.hasFile($0, of: open.id) } }

    // MARK: Leases

    /// Renews the lease of a step and returns its job; nil if the worker does not hold this attempt.
    func held(_ key: ReadingStepKey, by peer: PeerID, _ turn: Turn) -> Upload? {
        guard let open = self[key.jobId], let lease = leases[open.job], lease.holder == peer,
            lease.attempt == key.attempt
        else { return nil }
        setLease(Lease(holder: peer, attempt: key.attempt, until: turn.now.uptime + policy.leaseTimeout), of: open.job)
        return open
    }

    /// Takes back a step that its worker has not finished.
    func release(_ key: ReadingStepKey, from peer: PeerID, _ turn: Turn) {
        if let open = held(key, by: peer, turn) { endLease(of: open.job) }
    }

    /// Handles a worker's disconnection: its reading steps are lost.
    func disconnected(_ peer: PeerID) {
        claims.end(of: peer)
        lose { $0.holder == peer }
    }

    /// Ends expired leases: their reading steps are lost.
    func expireLeases(_ turn: Turn) {
        lose { $0.until <= turn.now.uptime }
        if let next = leases.values.map(\.until).min() { context.timers.setAtLatest(.readingLeases, at: next) }
    }

    private func lose(_ condition: (Lease) -> Bool) {
        for (job, lease) in leases where condition(lease) {
            context.logger.notice(
                "a reading step lost its worker",
                metadata: ["jobId": "\(jobs[job]?.id.text ?? "")", "worker": "\(lease.holder)"])
            endLease(of: job)
            lost.insert(job)
            context.timers.setAtLatest(.lostSteps, at: .zero)
            if let id = jobs[job]?.id {
                context.notify(WorkWithdrawn.self, WorkWithdrawn.Parameters(jobs: [id]), to: lease.holder)
            }
        }
    }

    /// Counts attempts that have lost their workers; returns the jobs that have had too many of them.
    func countLost(_ turn: Turn) throws -> [Upload] {
        var failing: [Upload] = []
        for job in lost {
            guard var open = jobs[job] else { continue }
            open.lostAttempts += 1
            context.tally.stepsLost += 1
            jobs[job] = open
            try open.store(turn)
            if hasFailed(open) { failing.append(open) }
        }
        lost = []
        return failing
    }

    /// Whether no further attempt will be made.
    func hasFailed(_ open: Upload) -> Bool { open.lostAttempts >= policy.readingAttempts }

    private func endLease(of job: Int64) { setLease(nil, of: job) }

    private func setLease(_ lease: Lease?, of job: Int64) {
        leasesBefore.note(job, was: leases[job])
        leases[job] = lease
        if let lease { context.timers.setAtLatest(.readingLeases, at: lease.until) }
    }

    // MARK: Claims

    /// Answers waiting claims while there are files. Called at the end of each turn while storage works.
    ///
    /// Clients take turns, so that no client waits until all files of another one have been read: the next file is the oldest one of the client that
    /// has the fewest files being read. If there are several such clients, it is the turn of the first of them in line.
    ///
    /// - Parameter start: Called with each step before it is handed out; returns nil if it must not be handed out, and the claim then waits for
    ///   another step.
    func serveClaims(_ turn: Turn, starting start: (Upload) throws -> JobRow?) throws {
        claims.endGivenUp()
        guard !claims.peers.isEmpty else { return }
        var ready = jobs.values.filter { open in
            open.isUploaded && leases[open.job] == nil && !lost.contains(open.job) && !hasFailed(open)
        }.sorted { $0.job < $1.job }
        line.admit(ready.map(\.client))
        guard !ready.isEmpty else { return }
        var held: [String: Int] = [:]
        for job in leases.keys { if let client = jobs[job]?.client { held[client, default: 0] += 1 } }
        func rank(_ open: Upload) -> (Int, Int) { (held[open.client] ?? 0, line[open.client]) }
        while let peer = claims.peers.first, let next = ready.indices.min(by: { rank(ready[$0]) < rank(ready[$1]) }) {
            var open = ready.remove(at: next)
            open.beginAttempt()
            guard let job = try start(open) else { continue }
            jobs[open.job] = open
            try open.store(turn)
            setLease(
                Lease(holder: peer, attempt: open.attempt, until: turn.now.uptime + policy.leaseTimeout), of: open.job)
            held[open.client, default: 0] += 1
            line.endTurn(of: open.client)
            claims.end(of: peer, with: open.claimed(in: uploads, by: job))
        }
    }

    // MARK: The end of a turn

    /// Called after the commit: discards the previous leases and lost attempts.
    func keepTurn() {
        leasesBefore.forget()
        lostBefore = lost
    }

    /// Called after a failed transaction: restores the leases that the turn changed, and the value of `lost` before the turn.
    func undoTurn() {
        for (job, lease) in leasesBefore.take() { leases[job] = lease }
        lost = lostBefore
    }
}

/// The clients whose uploads wait to be handed out, in the order of their turns.
private struct ClientLine {
    private var places: [String: Int] = [:]
    private var lastPlace = 0
    /// Clients that have had a turn since `admit` was last called.
    private var served: Set<String> = []

    /// The place of a client in the line; lower places come first.
    subscript(client: String) -> Int { places[client] ?? .max }

    /// Appends those clients that are not in the line yet, and removes all that are not in `clients`. Of the new ones, those that have just had a
    /// turn come last.
    mutating func admit(_ clients: [String]) {
        let before = places
        places = [:]
        for client in clients { places[client] = before[client] }
        for client in clients where !served.contains(client) { append(client) }
        for client in clients { append(client) }
        served = []
    }

    private mutating func append(_ client: String) {
        guard places[client] == nil else { return }
        lastPlace += 1
        places[client] = lastPlace
    }

    /// Takes a client out of the line after its turn; if it still waits, the next `admit` appends it behind the others.
    mutating func endTurn(of client: String) {
        places[client] = nil
        served.insert(client)
    }
}

extension UndoLog {
    /// Discards the previous values.
    fileprivate mutating func forget() { _ = take() }
}
