/// What api-proxy is doing.
package struct ProxyFigures: Codable, Sendable, Equatable {
    /// Open sockets of clients.
    package var sockets: QueueFigure
    /// Finished answers in memory.
    package var cache: CacheFigure

    package init(sockets: QueueFigure, cache: CacheFigure) {
        self.sockets = sockets
        self.cache = cache
    }
}
