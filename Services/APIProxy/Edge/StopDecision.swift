/// What becomes of an HTTP connection when the server stops. Whatever is still answered carries `Connection: close`.
enum StopDecision: Equatable {
    /// Answers are owed: the connection ends after the last of them.
    case answer
    /// A request may be on its way, and its client could not know that nobody will answer it: wait for it, for ``PeerPatience/lastRequest``.
    case awaitRequest
    /// The client has had its answers, and knows that an idle connection may end (RFC 9112 §9.3.1, §9.5).
    case close

    /// - Parameters:
    ///   - answersOwed: Requests that have begun and are not answered.
    ///   - wasUsed: Whether there was a request before.
    ///   - hasBytes: Whether bytes of a next request are there, read or not.
    init(answersOwed: Int, wasUsed: Bool, hasBytes: Bool) {
        self = answersOwed > 0 ? .answer : !wasUsed || hasBytes ? .awaitRequest : .close
    }
}
