/// How what an event is about ended (command-line.md "tail").
package enum TailOutcome: String, Codable, Sendable, CaseIterable {
    /// Everything else, refused requests included.
    case ok
    /// A status from 500 on, or an exception.
    case error
    /// The client left before the answer.
    case canceled
}
