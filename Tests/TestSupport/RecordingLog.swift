package import Logging
import NIOConcurrencyHelpers

/// A log that a test reads.
package final class RecordingLog: Sendable {
    private let lines = NIOLockedValueBox<[(level: Logger.Level, text: String, metadata: Logger.Metadata)]>([])

    package init() {}

    /// The messages logged at a level.
    package func texts(at level: Logger.Level) -> [String] {
        lines.withLockedValue { $0 }.filter { $0.level == level }.map(\.text)
    }

    /// The metadata of the messages logged at a level.
    package func metadata(at level: Logger.Level) -> [Logger.Metadata] {
        lines.withLockedValue { $0 }.filter { $0.level == level }.map(\.metadata)
    }

    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLockedValue { $0.append((event.level, "\(event.message)", event.metadata ?? [:])) }
        }
    }
}
