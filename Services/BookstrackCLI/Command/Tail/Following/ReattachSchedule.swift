/// How long to wait before each try to find a service that is gone (command-line.md "tail").
struct ReattachSchedule {
    /// The waits in their order; after the last one the service is given up.
    static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)]

    private var failures = 0

    /// The wait before the next try; nil when there is none.
    mutating func next() -> Duration? {
        guard failures < Self.waits.count else { return nil }
        defer { failures += 1 }
        return Self.waits[failures]
    }

    /// The service was found.
    mutating func reset() { failures = 0 }
}
