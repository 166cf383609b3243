/// How long one transfer may take. All three spans begin when the transfer leaves the queue.
package struct TransferTimeouts: Hashable, Sendable {
    /// Until the connection stands, name look-up and TLS included.
    package var connect: Duration
    /// Until the first byte of the answer; the engine's own timer (metadata.md "Providers").
    package var firstByte: Duration
    /// Until the last byte of the answer.
    package var total: Duration

    /// The defaults are those of metadata.md "Providers": 2, 5 and 10 s.
    package init(connect: Duration = .seconds(2), firstByte: Duration = .seconds(5), total: Duration = .seconds(10)) {
        self.connect = connect
        self.firstByte = firstByte
        self.total = total
    }
}
