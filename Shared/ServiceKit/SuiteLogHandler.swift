import Foundation
package import Logging
package import Observability

/// Writes swift-log messages as lines of a `LogSink`, notes them in what they belong to (`Activity`), and leaves the others to the tail.
///
/// Lines carry the identifiers of the request and the job that they belong to; secrets are taken out (command-line.md "tail").
package struct SuiteLogHandler: LogHandler {
    /// Minimum level that is written.
    private var written: Logger.Level
    /// Whether the logger has its own level, below which nothing is logged.
    private var isOwnLevel = false
    /// What every line of the logger carries.
    package var metadata: Logger.Metadata = [:]
    /// Adds to the lines of the task that runs.
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let style: LogStyle
    private let sink: LogSink
    private let tail: TailHub
    private let milliseconds: @Sendable () -> Int64

    /// `milliseconds` since 1970 are the lines' time.
    package init(
        label: String, level: Logger.Level, style: LogStyle, sink: LogSink, tail: TailHub,
        milliseconds: @escaping @Sendable () -> Int64 = { Activity.now }
    ) {
        self.label = label
        written = level
        self.style = style
        self.sink = sink
        self.tail = tail
        self.milliseconds = milliseconds
    }

    /// Least level that anybody wants: this process's log, or one who follows it. One that is set holds for both.
    package var logLevel: Logger.Level {
        get { isOwnLevel ? written : min(written, tail.followedLevel ?? written) }
        set { (written, isOwnLevel) = (newValue, true) }
    }

    /// A field that every line of the logger carries.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes, notes or publishes the message, as its level and what it belongs to say.
    package func log(event: LogEvent) {
        let activity = Activity.current
        let line = LoggedLine(
            time: milliseconds(), level: event.level, message: Redaction.text(event.message.description),
            metadata: fields(of: event, activity).redacted)
        if event.level >= written { sink.write(LogRecord(line, label: label).line(style)) }
        if let activity { activity.note(line) } else { tail.publish(TailEntry(line)) }
    }

    /// The most specific of the fields that have the same name.
    private func fields(of event: LogEvent, _ activity: Activity?) -> Logger.Metadata {
        var fields = metadata
        if let activity {
            fields["requestId"] = "\(activity.trace.requestID)"
            if let jobID = activity.jobID { fields["jobId"] = "\(jobID)" }
        }
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let own = event.metadata { fields.merge(own) { $1 } }
        if let error = event.error { fields["error"] = .string(String(describing: error)) }
        return fields
    }
}

extension Logger.Metadata {
    /// Without what is secret.
    fileprivate var redacted: Logger.Metadata {
        Logger.Metadata(uniqueKeysWithValues: map { name, value in (name, value.redacted(as: name)) })
    }
}

extension Logger.MetadataValue {
    /// Without what is secret, by the value itself or by its name.
    fileprivate func redacted(as name: String) -> Logger.MetadataValue {
        switch self {
        case .string(let text): .string(Redaction.value(ofField: name, text))
        case .stringConvertible(let thing): .string(Redaction.value(ofField: name, thing.description))
        case .array(let values): .array(values.map { $0.redacted(as: name) })
        case .dictionary(let fields): .dictionary(fields.redacted)
        }
    }
}
