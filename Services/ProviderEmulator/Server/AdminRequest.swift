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
    /// `DELETE log`: clears entries and counts.
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
            guard rules.count <= maximumRules else { return .refused("At most \(maximumRules) rules are allowed.") }
            return .replaceFaults(rules)
        } catch {
            return .refused("\(error)")
        }
    }
}

extension Answer {
    /// The log as JSON lines.
    static func log(_ entries: CircularBuffer<LogEntry>) -> Answer {
        let encoder = JSONEncoder.emulator
        var body = ByteBuffer()
        for entry in entries {
            guard let line = try? encoder.encode(entry) else { continue }
            body.writeBytes(line)
            body.writeString("\n")
        }
        return Answer(body: body, type: "application/x-ndjson")
    }

    static func encoded(_ value: some Encodable) -> Answer {
        guard let text = try? JSONEncoder.emulator.encode(value) else {
            return .text("The response could not be encoded.", status: .internalServerError)
        }
        return .json(ByteBuffer(bytes: text))
    }
}

extension JSONEncoder {
    fileprivate static var emulator: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
