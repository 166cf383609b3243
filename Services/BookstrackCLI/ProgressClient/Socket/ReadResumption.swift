import NIOCore

/// Reads on from a connection when the reader of its events has caught up, and closes it when there is no reader any more.
package struct ReadResumption: NIOAsyncSequenceProducerDelegate {
    let channel: any Channel

    package func produceMore() {
        channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ReadOn()) }
    }

    package func didTerminate() { channel.close(promise: nil) }

    /// Tells a `SocketHandler` that it may read again.
    struct ReadOn: Sendable {}
}
