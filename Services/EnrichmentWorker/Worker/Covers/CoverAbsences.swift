import ProviderHTTP
import SuiteMethods

/// Covers that a host said it has not, for as long as that is believed (metadata.md "Cache").
struct CoverAbsences: Sendable {
    private static let life = Duration.seconds(300)

    /// Most that are remembered; at the bound those that are older than half their life go, then all.
    private let limit: Int
    private var ends: [CoverName: MonotonicInstant] = [:]

    init(limit: Int = 20_000) { self.limit = limit }

    func contains(_ name: CoverName, now: MonotonicInstant) -> Bool { ends[name].map { now < $0 } ?? false }

    mutating func insert(_ name: CoverName, now: MonotonicInstant) {
        if ends.count >= limit { ends = ends.filter { now.advanced(by: Self.life / 2) < $0.value } }
        if ends.count >= limit { ends = [:] }
        ends[name] = now.advanced(by: Self.life)
    }
}
