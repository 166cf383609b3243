import JSONRPC

/// A method or notification as other processes see it.
package struct MethodEntry: Sendable, Equatable {
    /// The name on the wire.
    package var name: String
    /// Who answers it; several answer the same way.
    package var answeredBy: [ServiceName]
    /// Whether a call that may have been lost may be repeated; nil for a notification, which has no answer.
    package var isIdempotent: Bool?
    /// How long a caller waits; nil for a notification.
    package var deadline: Duration?

    /// An entry of a typed method, under its own name or under the one that a forwarding service gives it.
    init(_ method: (some RPCMethod).Type, _ services: ServiceName..., forwardedAs name: String? = nil) {
        self.name = name ?? method.name
        answeredBy = services
        isIdempotent = method.isIdempotent
        deadline = method.deadline
    }

    /// An entry of a method whose bodies pass as raw JSON.
    init(raw name: String, _ service: ServiceName, isIdempotent: Bool, deadline: Duration) {
        self.name = name
        answeredBy = [service]
        self.isIdempotent = isIdempotent
        self.deadline = deadline
    }

    /// An entry of a notification.
    init(notification name: String, _ service: ServiceName) {
        self.name = name
        answeredBy = [service]
    }
}
