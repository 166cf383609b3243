import NIOCore

/// Everything of a connection that several threads touch; kept behind one lock, so that a call is either answered, or
/// given up, or failed by the close, and never two of them.
struct RPCConnectionState {
    /// The connection's state.
    enum Phase: Equatable {
        case open
        /// Queued frames are written, and no more are accepted.
        case closing
        case closed
    }

    var phase = Phase.open
    var outbound: OutboundQueue
    var calls: PendingCalls
    var requests: InboundRequests
    var paced: PacedRequests
    /// Lets any thread write; nil while there is no channel.
    var socket: WritingSocket?
    /// Whether the event loop, or a thread that writes directly, is about to write.
    var isWakeScheduled = false
    /// Whether there is work other than writing, which only the event loop can do.
    var needsLoop = false
    /// When the event loop's timer next looks for expired deadlines.
    private(set) var alarm: NIODeadline?

    init(_ limits: RPCLimits) {
        outbound = OutboundQueue(limits)
        calls = PendingCalls(maximum: limits.maximumInFlightOutbound)
        requests = InboundRequests(maximum: limits.maximumInFlightInbound)
        paced = PacedRequests(limits)
    }

    /// Makes sure that the timer fires at `deadline` or before. One timer that finds nothing expired costs less than
    /// one per call.
    ///
    /// - Returns: Whether the event loop has to set the timer again.
    @inline(__always) @discardableResult
    mutating func setAlarm(at deadline: NIODeadline) -> Bool {
        if let alarm, alarm <= deadline { return false }
        alarm = deadline
        return true
    }

    /// Sets the timer to the next deadline, after it has gone off.
    mutating func resetAlarm() {
        alarm = [calls.earliestDeadline, requests.earliestDeadline].compactMap(\.self).min()
    }
}
