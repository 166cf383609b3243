import BookstrackContract
import NIOConcurrencyHelpers

/// Bytes of request bodies that are held at once, over all connections.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = NIOLockedValueBox(0)

    init(limit: Int = 256 << 20) { self.limit = limit }

    /// Takes bytes. Throws 503 when they do not fit.
    func take(_ bytes: Int) throws(APIFailure) {
        let fits = used.withLockedValue { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
        guard fits else {
            var failure = APIFailure(.serviceUnavailable, "Too many large requests at once.", retryAfter: 1)
            failure.closesConnection = true
            throw failure
        }
    }

    func giveBack(_ bytes: Int) { used.withLockedValue { $0 -= bytes } }
}
