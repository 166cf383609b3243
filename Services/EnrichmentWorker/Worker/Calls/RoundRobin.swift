import BookMetadata

/// Questions from several parties, taken in turns: first by client, then by the client's jobs, so no party waits behind all of another party's
/// questions. A party without a client counts as its own client.
struct RoundRobin: Sendable {
    /// A member of the outer round: a client, or a party without one.
    private enum Member: Hashable {
        case client(String)
        case party(CallParty)

        init(_ party: CallParty) { self = party.client.map { .client($0) } ?? .party(party) }
    }

    /// Members with questions; the first member is next.
    private var members: [Member] = []
    /// Each member's parties with questions; the first party is next.
    private var parties: [Member: [CallParty]] = [:]
    private var queues: [CallParty: [Question]] = [:]

    var isEmpty: Bool { members.isEmpty }

    /// Number of questions, including those for which no caller is waiting anymore.
    private(set) var count = 0

    mutating func append(_ question: Question, of party: CallParty) {
        if queues[party] == nil {
            let member = Member(party)
            if parties[member] == nil { members.append(member) }
            parties[member, default: []].append(party)
        }
        queues[party, default: []].append(question)
        count += 1
    }

    /// Takes up to `limit` questions, one per turn; each party's questions keep their order. Questions that are no longer needed are dropped. If none
    /// of a member's parties may go, the member keeps its place for the next request.
    ///
    /// - Parameter mayGo: Whether the party may take part in another call.
    mutating func take(
        _ limit: Int, mayGo: (CallParty) -> Bool, isWanted: (Question) -> Bool
    ) -> [(question: Question, party: CallParty)] {
        var taken: [(question: Question, party: CallParty)] = []
        var waiting: [Member] = []
        while taken.count < limit, !members.isEmpty {
            let member = members.removeFirst()
            var own = parties.removeValue(forKey: member) ?? []
            guard let turn = own.firstIndex(where: mayGo) else {
                parties[member] = own
                waiting.append(member)
                continue
            }
            let party = own.remove(at: turn)
            if let question = nextWanted(of: party, isWanted) { taken.append((question, party)) }
            if queues[party] != nil { own.append(party) }
            guard !own.isEmpty else { continue }
            parties[member] = own
            members.append(member)
        }
        members.insert(contentsOf: waiting, at: 0)
        return taken
    }

    private mutating func nextWanted(of party: CallParty, _ isWanted: (Question) -> Bool) -> Question? {
        guard var queue = queues.removeValue(forKey: party) else { return nil }
        let index = queue.firstIndex(where: isWanted)
        let found = index.map { queue[$0] }
        let passed = index.map { $0 + 1 } ?? queue.count
        count -= passed
        queue.removeFirst(passed)
        if !queue.isEmpty { queues[party] = queue }
        return found
    }
}
