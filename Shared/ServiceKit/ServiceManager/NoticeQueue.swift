/// Messages that the service manager has not taken yet, in the order in which they were told.
///
/// A status takes the place of one that waits in front of it, and the other notices come once in a process's life. So a handful of messages
/// is all that ever waits, however slowly the manager reads.
struct NoticeQueue {
    private var messages: [[ServiceManagerNotice]] = []

    /// How many messages wait.
    var count: Int { messages.count }

    /// Puts a message behind the others.
    mutating func append(_ message: [ServiceManagerNotice]) {
        if let last = messages.last, last.isStatus, message.isStatus { messages.removeLast() }
        messages.append(message)
    }

    /// Takes out the message that has waited longest; nil when none waits.
    mutating func next() -> [ServiceManagerNotice]? { messages.isEmpty ? nil : messages.removeFirst() }
}

extension [ServiceManagerNotice] {
    /// Whether nothing but what people are shown is in it.
    fileprivate var isStatus: Bool {
        allSatisfy { if case .status = $0 { true } else { false } }
    }
}
