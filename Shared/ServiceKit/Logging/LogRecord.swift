import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOCore
import Observability

/// One log message, ready to be written as a line.
struct LogRecord: Encodable {
    /// ISO 8601, UTC, with milliseconds.
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

    /// The line without its end.
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
