import BookstrackContract

/// Why a whole job failed: nothing could be done for any of its items (jobs.md "Ends").
enum JobFailure: Sendable, Equatable {
    /// No provider gave a usable answer for any item.
    case providers
    /// The job's time was over before any item was done.
    case deadline

    /// Judges by how the items of a job ended, nil standing for success; nil when the job did not fail as a whole.
    init?(endings: [ItemErrorCode?]) {
        let failing: [ItemErrorCode?] = [.providerTimeout, .providerError, .quotaExhausted, .deadlineExceeded]
        guard endings.allSatisfy(failing.contains) else { return nil }
        self = endings.contains(.deadlineExceeded) ? .deadline : .providers
    }

    /// Technical text.
    var message: String {
        switch self {
        case .providers: "no provider could be reached for any book"
        case .deadline: "the job ran out of time before any book was looked up"
        }
    }

    /// Friendly text.
    var userMessage: String {
        switch self {
        case .providers: "None of your books could be looked up just now. Please try again later."
        case .deadline: "Looking up your books took too long. Please try again later."
        }
    }
}
