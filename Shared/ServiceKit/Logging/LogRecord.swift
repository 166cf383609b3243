import BookstrackContract
import Foundation
import Logging

/// One log message, ready to be written as a line.
struct LogRecord: Encodable {
    /// ISO 8601, UTC, with milliseconds.
    var time: String
    var level: Logger.Level
    var label: String
    var message: String
    var metadata: LogFields

    init(milliseconds: Int64, level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        time = ISO8601Milliseconds.string(fromMilliseconds: milliseconds)
        self.level = level
        self.label = label
        self.message = message
        self.metadata = LogFields(metadata)
    }

    /// The line without its end, in one of the two formats.
    func line(pretty: Bool) -> String { pretty ? prettyLine : jsonLine }

    private var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(self) else { return prettyLine }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var prettyLine: String {
        let clock = time.dropFirst(11).dropLast()
        let name = level.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        let fields = metadata.entries.map { " \($0.key)=\($0.value.text)" }.joined()
        return "\(clock) \(name) \(label): \(message)\(fields)".escapingControls
    }
}

extension String {
    /// Line ends and other control characters as visible escapes, so that one message stays one line.
    fileprivate var escapingControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map {
            $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0)
        }.joined()
    }
}
