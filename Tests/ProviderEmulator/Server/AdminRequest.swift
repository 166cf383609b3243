import Foundation
import NIOCore
import NIOHTTP1

/// A request to the emulator itself, under `/_emulator`.
enum AdminRequest: Sendable {
    static let prefix = "_emulator"
    private static let maximumRules = 10_000

    /// `GET health`
    case health
    /// `GET log`: JSON lines, oldest first.
    case log
    /// `DELETE log`: forgets entries and counts.
    case clearLog
    /// `GET stats`
    case statistics
    /// `PUT faults` with a JSON array of `FaultRule`, or `DELETE faults`.
    case replaceFaults([FaultRule])
    case refused(String)
    case unknown

    init(_ request: ReceivedRequest, _ target: RequestTarget) {
        switch (request.head.method, target.components.dropFirst().first ?? "") {
        case (.GET, "health"): self = .health
        case (.GET, "log"): self = .log
        case (.DELETE, "log"): self = .clearLog
        case (.GET, "stats"): self = .statistics
        case (.DELETE, "faults"): self = .replaceFaults([])
        case (.PUT, "faults"): self = Self.rules(request.body)
        default: self = .unknown
        }
    }

    private static func rules(_ body: ByteBuffer) -> Self {
        do {
            let rules = try JSONDecoder().decode([FaultRule].self, from: Data(body.readableBytesView))
            guard rules.count <= maximumRules else { return .refused("At most \(maximumRules) rules.") }
            return .replaceFaults(rules)
        } catch {
            return .refused("\(error)")
        }
    }
}
