/// Members that take turns: a queue in which each is at most once.
struct TurnLine<Member: Hashable & Sendable>: Sendable {
    private var line: [Member] = []
    private var head = 0
    private var members: Set<Member> = []

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    /// Puts a member at the end, unless it is there.
    mutating func add(_ member: Member) {
        if members.insert(member).inserted { line.append(member) }
    }

    /// Takes a member out. For good: its place in the line is only skipped later, so it must not be added again.
    mutating func remove(_ member: Member) { members.remove(member) }

    /// Takes the member whose turn it is.
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
