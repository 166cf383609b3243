package import BookstrackContract

/// What the API answered instead of what was asked for.
package struct APIRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// The HTTP status.
    package var status: Int
    /// The stable code, when the answer is an envelope of the contract.
    package var code: APIErrorCode?
    /// A sentence for people.
    package var message: String
    /// Context by name.
    package var details: [String: DetailValue]
    /// When to try again, in seconds.
    package var retryAfterSeconds: Int?

    package init(
        status: Int, code: APIErrorCode?, message: String, details: [String: DetailValue] = [:],
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.retryAfterSeconds = retryAfterSeconds
    }

    package var description: String { code.map { "\(message) (\($0.rawValue))" } ?? "\(message) (status \(status))" }
}
