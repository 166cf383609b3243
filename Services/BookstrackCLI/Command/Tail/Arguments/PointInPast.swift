import ArgumentParser
import Foundation

/// What follows `--since`: a time, or how long ago it was.
enum PointInPast: ExpressibleByArgument, Equatable {
    case ago(seconds: Int64)
    /// Milliseconds since 1970.
    case time(Int64)

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    private static let longestSeconds: Int64 = 366 * 86_400

    /// Reads `90s`, `10m`, `2h`, `1d`, or an ISO 8601 time with its zone; nil for anything else.
    init?(argument: String) {
        if let unit = argument.last.flatMap({ Self.units[$0] }), let count = Int64(argument.dropLast()) {
            guard count > 0, count <= Self.longestSeconds / unit else { return nil }
            self = .ago(seconds: count * unit)
            return
        }
        let whole = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? whole.parse(argument)) ?? (try? fractional.parse(argument)) else { return nil }
        self = .time(Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }

    /// Milliseconds since 1970.
    func milliseconds(now: Int64) -> Int64 {
        switch self {
        case .ago(let seconds): now - seconds * 1_000
        case .time(let time): time
        }
    }
}
