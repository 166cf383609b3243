import NIOCore
import SuiteMethods

/// A finished answer of a search.
struct KeptAnswer: Sendable {
    /// The JSON text of the envelope's `data`.
    let data: ByteBuffer
    /// The provider that gave the first match, or "none".
    let provider: String
    /// When the oldest part of it came from its provider.
    let madeAt: NIODeadline
    /// Until when it serves as it is.
    let freshUntil: NIODeadline

    init(_ answer: SearchAnswer, now: NIODeadline) {
        data = answer.data
        provider = answer.head.provider
        madeAt = now - .seconds(Int64(answer.head.ageSeconds ?? 0))
        freshUntil = now + .seconds(Int64(answer.head.freshSeconds))
    }
}
