/// Decides which result readings run and which ones wait, in order of arrival.
///
/// Each client may hold only some of the permits, so that many downloads by one client, or many connections over one slow network, leave permits
/// for others. A few clients can still hold all of them; while others wait, slow readings therefore end (``ReadingPermit/mustEnd(_:)``).
struct ReadingQueue {
    struct Limits: Sendable {
        /// Maximum number of concurrent readings; each one holds at most two pages of 64 KiB.
        var running = 256
        /// Maximum number of concurrent readings per client.
        var runningPerClient = 64
        /// Maximum number of waiting readings; further ones are refused.
        var waiting = 1_024
        /// Maximum time that a reading waits before it is refused; apps time out after 30 s or 60 s.
        var timeout = Duration.seconds(25)
    }

    /// Identifies a waiting reading.
    typealias Ticket = UInt64

    enum Entry: Equatable {
        case runs, waits, refused
    }

    private let limits: Limits
    private var running = 0
    private var perClient: [ClientNetwork: Int] = [:]
    private var waiting: [(ticket: Ticket, client: ClientNetwork)] = []
    private var lastTicket: Ticket = 0

    init(_ limits: Limits) { self.limits = limits }

    /// Numbers of running and waiting readings.
    var counts: (running: Int, waiting: Int) { (running, waiting.count) }

    /// A ticket for a new reading.
    mutating func nextTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Admits, queues or refuses a new reading.
    mutating func enter(_ client: ClientNetwork, _ ticket: Ticket) -> Entry {
        // This overtakes no reading that could run: while a permit is free, only readings of clients that have used up their shares wait.
        if hasPermit(for: client) {
            take(client)
            return .runs
        }
        guard waiting.count < limits.waiting else { return .refused }
        waiting.append((ticket, client))
        return .waits
    }

    /// Releases the permit of a reading that has ended. Returns the waiting reading that receives the permit, if any.
    mutating func leave(_ client: ClientNetwork) -> Ticket? {
        running -= 1
        perClient.decrement(client)
        guard let next = waiting.firstIndex(where: { hasPermit(for: $0.client) }) else { return nil }
        let reading = waiting.remove(at: next)
        take(reading.client)
        return reading.ticket
    }

    /// Removes a reading from the queue; returns false if it is not waiting.
    mutating func giveUp(_ ticket: Ticket) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Whether a waiting reading would start if a reading of `client` ended.
    func isPermitAwaited(of client: ClientNetwork) -> Bool {
        waiting.contains { $0.client == client || hasShare($0.client) }
    }

    private func hasPermit(for client: ClientNetwork) -> Bool {
        running < limits.running && hasShare(client)
    }

    private func hasShare(_ client: ClientNetwork) -> Bool { (perClient[client] ?? 0) < limits.runningPerClient }

    private mutating func take(_ client: ClientNetwork) {
        running += 1
        perClient[client, default: 0] += 1
    }
}
