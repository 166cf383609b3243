/// Where a job stands (jobs.md). A job that was cancelled, completed or failed never leaves that state.
public enum JobStatus: String, Codable, Sendable, CaseIterable {
    /// On disk; no item was claimed yet.
    case pending
    /// At least one item was claimed.
    case processing
    /// Every item is terminal.
    case completed
    /// Nothing could be done at all.
    case failed
    /// A cancel was accepted and work is being stopped.
    case cancelling
    /// Stopped on request; nothing further is stored.
    case cancelled

    /// Whether the job is over.
    public var isTerminal: Bool {
        switch self {
        case .completed, .failed, .cancelled: true
        case .pending, .processing, .cancelling: false
        }
    }
}
