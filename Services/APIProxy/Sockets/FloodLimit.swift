import NIOCore

/// Counts a socket's messages: more than 50 in any 10 s are a flood (spec/03, close 1008).
struct FloodLimit {
    static let messages = 50
    static let window = TimeAmount.seconds(10)

    /// Times of the messages in the window, oldest first; never more than `messages`.
    private var recent: [NIODeadline] = []

    /// Notes a message; false when it is one too many.
    mutating func admit(at now: NIODeadline) -> Bool {
        if let fresh = recent.firstIndex(where: { $0 + Self.window > now }) {
            recent.removeFirst(fresh)
        } else {
            recent = []
        }
        guard recent.count < Self.messages else { return false }
        recent.append(now)
        return true
    }
}
