import Foundation
import Glibc
import Logging
package import Observability

/// Sends the process's log to standard error (command-line.md "tail").
package enum LogBootstrap {
    /// Starts the log. Call this once per process, before the first logger is created. Close the sink before the process ends.
    package static func start(_ settings: Settings, tail: TailHub) -> LogSink {
        let level = settings[.logLevel]
        let style = style(settings[.logFormat])
        let sink = LogSink(descriptor: STDERR_FILENO) { count in
            let line = LoggedLine(
                time: Activity.now, level: .warning, message: "log lines dropped", metadata: ["count": "\(count)"])
            return LogRecord(line, label: "log").line(style)
        }
        LoggingSystem.bootstrap { SuiteLogHandler(label: $0, level: level, style: style, sink: sink, tail: tail) }
        return sink
    }

    private static func style(_ format: LogFormat) -> LogStyle {
        switch format {
        case .pretty: return .pretty
        case .json: return .json
        case .journal: return .journal
        case .auto:
            if isatty(STDERR_FILENO) == 1 { return .pretty }
            let environment = ProcessInfo.processInfo.environment
            return JournalStream.isConnected(STDERR_FILENO, environment: environment) ? .journal : .json
        }
    }
}

/// The format of log lines (command-line.md "tail").
package enum LogFormat: String, Sendable, CaseIterable {
    /// `pretty` on a terminal, `journal` if standard error goes to the system's journal, else `json`.
    case auto
    case pretty
    case json
    case journal
}

/// The style of one log line.
package enum LogStyle: Sendable {
    /// For a terminal: the time of day, level, service, message and fields.
    case pretty
    /// One JSON object.
    case json
    /// For the journal, which itself adds the time and the service: the priority (sd-daemon(3)), message and fields.
    case journal
}

/// Determines whether a descriptor goes to the system's journal (systemd.exec(5) "JOURNAL_STREAM").
package enum JournalStream {
    /// Whether `descriptor` is connected to the journal: `JOURNAL_STREAM` must name its device and inode, because a process that inherited the
    /// variable may write elsewhere.
    package static func isConnected(_ descriptor: CInt, environment: [String: String]) -> Bool {
        let numbers = environment["JOURNAL_STREAM"]?.split(separator: ":").map { UInt64($0) } ?? []
        var status = stat()
        guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
        return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
    }
}
