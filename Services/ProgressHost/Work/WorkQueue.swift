import SuiteMethods

/// Decides which job's items are handed out next: lane by lane, and within a lane round robin by client, then by the
/// client's jobs (jobs.md "Work"). A client with ten jobs therefore has no more turns than a client with one.
///
/// Contains jobs, not items: a job stays in its lane as long as it has items left.
struct WorkQueue: Sendable {
    /// The priorities of work; earlier lanes come first.
    enum Lane: CaseIterable, Sendable {
        case high
        case normal
        case low
        case followUp
        case backgroundRetry

        /// The class of the lane's items, for workers.
        var workClass: WorkClass {
            switch self {
            case .high: .interactive
            case .normal, .low: .bulk
            case .followUp: .followUp
            case .backgroundRetry: .backgroundRetry
            }
        }
    }

    /// The work that remains for a job after its turn.
    enum Rest {
        case nothing
        case items
        /// Items are left, but the claim has no room for more.
        case claimIsFull
    }

    private var lanes: [Lane: ClientTurns] = [:]

    func count(in lane: Lane) -> Int { lanes[lane]?.count ?? 0 }

    /// Appends a job to its client's queue in `lane`, unless it is already there.
    mutating func add(_ job: Int64, of client: String, to lane: Lane) {
        lanes[lane, default: ClientTurns()].add(job, of: client)
    }

    mutating func remove(_ job: Int64, of client: String, from lane: Lane) { lanes[lane]?.remove(job, of: client) }

    /// Hands out up to `limit` items of the `wanted` lanes: takes a chunk from one job after another, and moves each
    /// job that has more to the end of its queue.
    ///
    /// A lane leaves a quarter of the remaining room, rounded down, to later lanes with jobs, so large high-priority jobs do not block everything
    /// else until they are done.
    ///
    /// - Parameter take: Returns a job's next items, at most the requested number, and whether it has more.
    mutating func handOut<Item>(
        _ limit: Int, of wanted: [Lane] = Lane.allCases, chunk: Int,
        take: (_ job: Int64, _ lane: Lane, _ atMost: Int) throws -> (items: [Item], rest: Rest)
    ) rethrows -> [Item] {
        var handed: [Item] = []
        for (place, lane) in wanted.enumerated() {
            guard var turns = lanes[lane], turns.count > 0 else { continue }
            defer { lanes[lane] = turns }
            let isLast = wanted[(place + 1)...].allSatisfy { count(in: $0) == 0 }
            let end = isLast ? limit : limit - (limit - handed.count) / 4
            var crowded: [(job: Int64, client: String)] = []
            defer { for (job, client) in crowded { turns.add(job, of: client) } }
            while handed.count < end, let (job, client) = turns.next() {
                let (items, rest) = try take(job, lane, min(chunk, end - handed.count))
                handed += items
                switch rest {
                case .nothing: break
                case .items where items.isEmpty: crowded.append((job, client))
                case .items: turns.add(job, of: client)
                case .claimIsFull:
                    turns.add(job, of: client)
                    return handed
                }
            }
        }
        return handed
    }
}

/// Jobs that take turns, first by client and then within the client.
private struct ClientTurns: Sendable {
    private var clients = UniqueQueue<String>()
    private var jobs: [String: UniqueQueue<Int64>] = [:]
    private(set) var count = 0

    mutating func add(_ job: Int64, of client: String) {
        let before = jobs[client]?.count ?? 0
        jobs[client, default: UniqueQueue<Int64>()].add(job)
        count += (jobs[client]?.count ?? 0) - before
        clients.add(client)
    }

    mutating func remove(_ job: Int64, of client: String) {
        guard let before = jobs[client]?.count else { return }
        jobs[client]?.remove(job)
        count += (jobs[client]?.count ?? 0) - before
        if jobs[client]?.isEmpty == true { jobs[client] = nil }
    }

    /// Removes and returns the job whose turn it is; nil if there is none.
    mutating func next() -> (job: Int64, client: String)? {
        while let client = clients.next() {
            guard let job = jobs[client]?.next() else { continue }
            count -= 1
            if jobs[client]?.isEmpty == true { jobs[client] = nil } else { clients.add(client) }
            return (job, client)
        }
        return nil
    }
}

/// A queue that contains each member at most once.
struct UniqueQueue<Member: Hashable & Sendable>: Sendable {
    private var line: [Member] = []
    private var head = 0
    private var members: Set<Member> = []

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    /// Appends a member, unless it is already there.
    mutating func add(_ member: Member) {
        if members.insert(member).inserted { line.append(member) }
    }

    mutating func remove(_ member: Member) {
        guard members.remove(member) != nil, let place = line[head...].firstIndex(of: member) else { return }
        line.remove(at: place)
    }

    /// Removes and returns the member whose turn it is; nil if there is none.
    mutating func next() -> Member? {
        while head < line.count {
            let member = line[head]
            head += 1
            if head > 256, head * 2 > line.count {
                line.removeFirst(head)
                head = 0
            }
            if members.remove(member) != nil { return member }
        }
        return nil
    }
}
