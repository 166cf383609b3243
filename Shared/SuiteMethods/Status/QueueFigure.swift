/// How full something bounded is.
package struct QueueFigure: Codable, Sendable, Equatable {
    /// How much is in it.
    package var length: Int
    /// What happens at the bound is the queue's own rule.
    package var limit: Int

    package init(length: Int, limit: Int) {
        self.length = length
        self.limit = limit
    }
}
