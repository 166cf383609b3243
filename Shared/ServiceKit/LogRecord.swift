import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOCore
import Observability

/// One log message in the form in which it is written.
struct LogRecord: Encodable {
    /// The time in UTC, as ISO 8601 with milliseconds.
    var time: String
    var level: Logger.Level
    var label: String
    var message: String
    var metadata: LogFields

    init(_ line: LoggedLine, label: String) {
        time = ISO8601Milliseconds.string(fromMilliseconds: line.time)
        level = line.level
        self.label = label
        message = line.message
        metadata = LogFields(line.metadata)
    }

    /// The line without its terminator.
    func line(_ style: LogStyle) -> String {
        switch style {
        case .pretty: prettyLine
        case .json: jsonLine
        case .journal: journalLine
        }
    }

    private var journalLine: String { "<\(level.priority)>" + TerminalText.line("\(message)\(fieldsText)") }

    private var jsonLine: String {
        guard let json = try? BodyCoding.encode(self) else { return prettyLine }
        return String(buffer: json)
    }

    private var prettyLine: String {
        let clock = time.dropFirst(11).dropLast()
        let name = level.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        return TerminalText.line("\(clock) \(name) \(label): \(message)\(fieldsText)")
    }

    private var fieldsText: String { metadata.entries.map { " \($0.key)=\($0.value.text)" }.joined() }
}

extension Logger.Level {
    /// The syslog priority (syslog(3)).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

/// A message's metadata, sorted by name.
struct LogFields: Encodable {
    /// A metadata value; in JSON, lists and nested fields keep their structure.
    enum Value: Encodable {
        case text(String)
        case list([Value])
        case fields(LogFields)

        init(_ value: Logger.MetadataValue) {
            switch value {
            case .string(let text): self = .text(text)
            case .stringConvertible(let thing): self = .text(thing.description)
            case .array(let values): self = .list(values.map(Value.init))
            case .dictionary(let metadata): self = .fields(LogFields(metadata))
            }
        }

        /// The value in a line that is not JSON.
        var text: String {
            switch self {
            case .text(let text): text
            case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
            case .fields(let fields):
                "{" + fields.entries.map { "\($0.key)=\($0.value.text)" }.joined(separator: ", ") + "}"
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .list(let values): try values.encode(to: encoder)
            case .fields(let fields): try fields.encode(to: encoder)
            }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let entries: [(key: String, value: Value)]

    init(_ metadata: Logger.Metadata) {
        entries = metadata.sorted { $0.key < $1.key }.map { ($0.key, Value($0.value)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for entry in entries { try container.encode(entry.value, forKey: Name(stringValue: entry.key)) }
    }
}

/// Makes untrusted text, such as titles, paths and header fields, safe to print on a terminal line.
package enum TerminalText {
    /// One line in which every character that could end the line, move the cursor, change colors, or reverse the direction of text
    /// (Unicode Standard Annex 9) is replaced with a visible escape such as `\n` or `\u{202E}`.
    package static func line(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
        return text.unicodeScalars.map { isUnsafe($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Whether a character must not appear in a line of text.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Joiners are part of scripts and emoji.
        case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
        default: return false
        }
    }
}
