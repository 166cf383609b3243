/// What one claim asks for. One of each waits at the host, so that small jobs need not wait for room (spec/05).
enum ClaimScope: CaseIterable, Sendable {
    case everything
    /// First look-ups of small jobs, for which places are kept free.
    case interactive
}
