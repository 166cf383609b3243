import Synchronization

/// Names a connection; no two of a process's life have the same.
package struct RPCConnectionID: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    private let number: UInt64

    /// The next unused one.
    package init() {
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    package var description: String { "rpc-\(number)" }
}
