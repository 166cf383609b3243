/// An error that something failed with and that is not part of a protocol: a fault, or a failure of what it needs.
package struct NotedException: Sendable {
    /// Milliseconds since 1970.
    package var time: Int64
    /// The error's type.
    package var name: String
    /// What it says of itself.
    package var message: String

    package init(_ error: any Error, time: Int64) {
        self.time = time
        name = String(describing: type(of: error))
        message = String(describing: error)
    }
}
