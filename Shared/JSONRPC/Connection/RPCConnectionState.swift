import NIOCore

/// The state of a connection that several threads access. One lock protects it, so a call ends exactly once: when it is answered, when it is
/// abandoned, or when the connection closes.
struct RPCConnectionState {
    enum Phase: Equatable {
        case open
        /// No more frames are accepted. Queued ones are still written, unless ``RPCConnection/close()`` drops them.
        case closing
        case closed
    }

    var phase = Phase.open
    var outbound: OutboundQueue
    var calls: PendingCalls
    var requests: InboundRequests
    var paced: PacedRequests
    /// Allows any thread to write; nil if only the event loop can.
    var socket: WritingSocket?
    /// Whether pending work needs no further wake-up: the event loop has been woken or is reading, or a thread is going to write directly.
    var isWakeScheduled = false
    /// Whether there is work other than writing that only the event loop can do.
    var needsLoop = false
    /// When the event loop's timer next checks for expired deadlines.
    private(set) var alarm: NIODeadline?

    init(_ limits: RPCLimits) {
        outbound = OutboundQueue(limits)
        calls = PendingCalls(maximum: limits.maximumInFlightOutbound)
        requests = InboundRequests(maximum: limits.maximumInFlightInbound)
        paced = PacedRequests(limits)
    }

    /// Ensures that the timer fires at or before `deadline`. One timer that sometimes finds nothing expired costs less than a timer per call.
    ///
    /// - Returns: Whether the event loop must set the timer again.
    @inline(__always) @discardableResult
    mutating func setAlarm(at deadline: NIODeadline) -> Bool {
        if let alarm, alarm <= deadline { return false }
        alarm = deadline
        return true
    }

    /// After the timer has fired, sets it to the next deadline.
    mutating func resetAlarm() {
        alarm = [calls.earliestDeadline, requests.earliestDeadline].compactMap(\.self).min()
    }
}
