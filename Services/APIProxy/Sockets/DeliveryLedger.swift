import SuiteMethods

/// What was handed to a socket, so that progress-host can go on after its restart and nothing is sent twice (spec/01 rule 5).
struct DeliveryLedger: Equatable {
    /// Highest `seq` of a job event that was handed over, or at which the stream began.
    private(set) var lastSeq = 0
    /// Whether any job event or `reconnected` was handed over.
    private(set) var begun = false
    private var hasEnded = false

    /// Whether the frame is new to the socket. `isReconnected` tells a `reconnected` frame from other control frames.
    mutating func admit(_ kind: SocketDelivery.Kind, seq: Int, isReconnected: @autoclosure () -> Bool) -> Bool {
        switch kind {
        case .terminal:
            // After a `reconnected` of a job that is over it has the `seq` at which the stream began.
            guard !hasEnded else { return false }
            hasEnded = true
            lastSeq = max(lastSeq, seq)
            begun = true
        case .event, .progress, .replayed, .page:
            guard seq > lastSeq else { return false }
            lastSeq = seq
            begun = true
        case .control:
            // The first `reconnected` says where the stream begins; a later one only answers a question.
            if !begun, isReconnected() {
                begun = true
                lastSeq = seq
            }
        case .ping, .text: break
        }
        return true
    }
}
