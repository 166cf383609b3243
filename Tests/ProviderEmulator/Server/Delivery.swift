/// How an answer is brought to the client, and after what delay.
struct Delivery: Sendable {
    /// Where white space stands, and how many bytes of it.
    enum Padding: Sendable {
        case before(Int)
        case after(Int)
    }

    enum Manner: Sendable {
        case whole(Answer)
        /// Half of the body, then silence.
        case stall(Answer)
        /// Half of the body, then the end of the connection.
        case truncate(Answer)
        /// White space beside the body, chunked.
        case padded(Answer, Padding)
        case hang
        case reset
    }

    let manner: Manner
    let delay: Duration
    /// The provider that answers; nil for the emulator's own routes.
    let provider: Provider?
}
