/// The bounds of a connection, each with what happens there (Services/README.md rule 7).
package struct RPCLimits: Sendable {
    /// The longest frame in bytes (Services/README.md "JSON-RPC"). A longer one that arrives is answered -32700 and the connection closed;
    /// a longer one to be sent fails the call with `frameTooLarge`, or is dropped and logged when it is a notification.
    package var maximumFrameBytes = 1 << 20
    /// How many bytes may wait for a peer that does not read. Calls beyond fail with `overloaded`, and so does what the peer called
    /// when its answer does not fit and the method is idempotent. A notification or another answer beyond closes the connection, because
    /// leaving it out would break the order. From half as many on, what the peer calls is refused with `overloaded` unheard.
    package var maximumOutboundBytes = 16 << 20
    /// How many bytes of paced answers (``RPCRouter/handlePaced(_:answerBytes:_:)``) may wait or be in the making; further requests wait.
    package var maximumPacedBytes = 128 << 10
    /// How many paced requests may wait for their turn; beyond, they are refused with `overloaded`.
    package var maximumPacedRequests = 1_024
    /// How many requests of the peer may be in their handlers; beyond, nothing is read until one ends.
    package var maximumInFlightInbound = 1_024
    /// How many calls may wait for their answers; beyond, they fail with `overloaded`.
    package var maximumInFlightOutbound = 4_096
    /// How many connections a server holds; beyond, they are closed at once.
    package var maximumConnections = 256
    /// The longest that a handler may take, whatever the peer allows it.
    package var maximumDeadline: Duration = .seconds(600)
    /// How long a handler may take when neither the peer nor the method says.
    package var defaultDeadline: Duration = .seconds(30)
    /// How long a connection that is closing may take to write what it still owes.
    package var closingGrace: Duration = .seconds(1)

    package init() {}
}
