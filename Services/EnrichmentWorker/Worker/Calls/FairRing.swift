/// Questions of several parties, taken in turns so that none waits behind another's.
struct FairRing: Sendable {
    /// Parties with questions; the first is next.
    private var turns: [CallParty] = []
    private var queues: [CallParty: [Question]] = [:]

    var isEmpty: Bool { turns.isEmpty }

    /// Number of questions, those that nobody waits for any more included.
    private(set) var count = 0

    mutating func append(_ question: Question, of party: CallParty) {
        if queues[party] == nil { turns.append(party) }
        queues[party, default: []].append(question)
        count += 1
    }

    /// Takes up to `limit` questions, one per party and turn, in the order of each party. What is not wanted is dropped.
    ///
    /// - Parameter mayGo: Whether the party may be part of another call.
    mutating func take(
        _ limit: Int, mayGo: (CallParty) -> Bool, isWanted: (Question) -> Bool
    ) -> [(question: Question, party: CallParty)] {
        var taken: [(question: Question, party: CallParty)] = []
        var kept: [CallParty] = []
        while taken.count < limit, !turns.isEmpty {
            let party = turns.removeFirst()
            guard mayGo(party) else {
                kept.append(party)
                continue
            }
            if let question = nextWanted(of: party, isWanted) { taken.append((question, party)) }
            if queues[party] != nil { turns.append(party) }
        }
        turns = kept + turns
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
