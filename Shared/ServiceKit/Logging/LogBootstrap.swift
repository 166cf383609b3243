import Foundation
import Logging
package import Observability

/// Sends the process's log to standard error (command-line.md "tail").
package enum LogBootstrap {
    /// Once per process, before the first logger is made. The sink is to be closed before the process ends.
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
