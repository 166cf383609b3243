/// Bounds of an `HTTPClient`.
package struct HTTPClientLimits: Sendable {
    /// Idle connections that are kept.
    package var maximumIdleConnections: Int
    /// Largest body of an answer, in bytes.
    package var maximumAnswerBytes: Int

    package init(maximumIdleConnections: Int = 64, maximumAnswerBytes: Int = 256 << 20) {
        self.maximumIdleConnections = maximumIdleConnections
        self.maximumAnswerBytes = maximumAnswerBytes
    }
}
