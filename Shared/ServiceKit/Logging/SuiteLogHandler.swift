package import Logging
import Foundation

/// Writes swift-log messages as lines of a `LogSink`.
package struct SuiteLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let pretty: Bool
    private let sink: LogSink
    private let milliseconds: @Sendable () -> Int64

    /// `milliseconds` since 1970 are the lines' time.
    package init(
        label: String, level: Logger.Level, pretty: Bool, sink: LogSink,
        milliseconds: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    ) {
        self.label = label
        logLevel = level
        self.pretty = pretty
        self.sink = sink
        self.milliseconds = milliseconds
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let own = event.metadata { fields.merge(own) { $1 } }
        if let error = event.error { fields["error"] = .string(String(describing: error)) }
        let record = LogRecord(
            milliseconds: milliseconds(), level: event.level, label: label, message: event.message.description,
            metadata: fields)
        sink.write(record.line(pretty: pretty))
    }
}
