import SuiteMethods

/// The kinds of job events, as stored (websocket.md "Job events").
enum EventKind: String, Sendable, CaseIterable {
    case started
    case progress
    /// The progress frame before the `error` of a failed scan.
    case failing
    case completed
    case failed
    case cancelled

    var isTerminal: Bool {
        switch self {
        case .started, .progress, .failing: false
        case .completed, .failed, .cancelled: true
        }
    }

    /// What the event is to a slow reader's queue.
    var delivery: SocketDelivery.Kind {
        switch self {
        case .started, .failing: .event
        case .progress: .progress
        case .completed, .failed, .cancelled: .terminal
        }
    }
}
