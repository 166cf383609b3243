/// Jobs that take turns: a queue in which each job is at most once.
struct JobRing: Sendable {
    private var line: [Int64] = []
    private var head = 0
    private var members: Set<Int64> = []

    var count: Int { members.count }

    /// Puts a job at the end, unless it is there.
    mutating func add(_ job: Int64) {
        if members.insert(job).inserted { line.append(job) }
    }

    /// Takes a job out. For good: its place in the line is only skipped later, so it must not be added again.
    mutating func remove(_ job: Int64) { members.remove(job) }

    /// Takes the job whose turn it is.
    mutating func next() -> Int64? {
        while head < line.count {
            let job = line[head]
            head += 1
            if head > 256, head * 2 > line.count {
                line.removeFirst(head)
                head = 0
            }
            if members.remove(job) != nil { return job }
        }
        return nil
    }
}
