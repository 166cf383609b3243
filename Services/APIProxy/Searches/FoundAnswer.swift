import BookstrackContract
import NIOCore

/// An answer of a search, from wherever it came.
struct FoundAnswer: Sendable {
    /// What `X-Cache` says.
    enum Source: String, Sendable {
        case hit = "HIT"
        case miss = "MISS"
        case stale = "STALE"
    }

    /// The JSON text of the envelope's `data`.
    let data: ByteBuffer
    let provider: String
    let source: Source
    let ageSeconds: Int
    /// For how long a client may keep it.
    let freshSeconds: Int
    /// What each provider did, when one failed.
    var providers: [ProviderReport]?
}
