import NIOConcurrencyHelpers
import NIOCore

/// The connections of one listener, from the moment the kernel hands them over.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Accepted, and not yet with somebody who answers.
        var unserved: Set<ObjectIdentifier> = []
    }

    private let state = NIOLockedValueBox(State())

    /// A connection was accepted; it is forgotten when it closes.
    func enter(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLockedValue {
            $0.channels[id] = channel
            $0.unserved.insert(id)
        }
        channel.closeFuture.whenComplete { [state] _ in
            state.withLockedValue {
                $0.channels[id] = nil
                $0.unserved.remove(id)
            }
        }
    }

    /// Somebody answers on this connection from here on.
    func serve(_ channel: any Channel) {
        state.withLockedValue { _ = $0.unserved.remove(ObjectIdentifier(channel)) }
    }

    /// Whether a connection was accepted that nobody serves yet.
    var isAnyUnserved: Bool { state.withLockedValue { !$0.unserved.isEmpty } }

    /// Tells each connection that the server stops.
    func quiesce() {
        let channels = state.withLockedValue { Array($0.channels.values) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }
}
