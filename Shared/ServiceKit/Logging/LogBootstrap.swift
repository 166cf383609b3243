import Foundation
import Logging
package import Observability

/// Sends the process's log to standard error (spec/06 "Logs and tail").
package enum LogBootstrap {
    /// Once per process, before the first logger is made. The sink is to be closed before the process ends.
    package static func start(_ settings: Settings, tail: TailHub) -> LogSink {
        let sink = LogSink(descriptor: STDERR_FILENO)
        let level = settings[.logLevel]
        let pretty =
            switch settings[.logFormat] {
            case .auto: isatty(STDERR_FILENO) == 1
            case .pretty: true
            case .json: false
            }
        LoggingSystem.bootstrap { SuiteLogHandler(label: $0, level: level, pretty: pretty, sink: sink, tail: tail) }
        return sink
    }
}
