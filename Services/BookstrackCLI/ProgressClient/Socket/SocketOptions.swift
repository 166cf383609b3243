package import NIOHTTP1

/// How a `ProgressSocket` behaves.
package struct SocketOptions: Sendable {
    /// Headers besides those of the upgrade, for example `Authorization` or `Origin`.
    package var headers: HTTPHeaders = [:]
    /// Largest message that is taken; a larger one closes the socket with 1009. iOS takes 1 MiB (websocket.md "Frames").
    package var maximumMessageBytes = 1 << 20
    /// Whether PING frames are answered, as RFC 6455 §5.5.2 wants. Tests of the heartbeat turn it off.
    package var answersPings = true
    /// Silence of the server after which the connection is taken for dead; nil: never.
    package var silenceLimit: Duration?
    /// Longest wait for the upgrade, once the connection is made.
    package var timeout = Duration.seconds(10)
    /// Messages that wait for the reader before the connection is read no further.
    package var maximumWaitingEvents = 256

    package init() {}
}
