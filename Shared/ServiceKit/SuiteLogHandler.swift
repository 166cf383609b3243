import Foundation
package import Logging
package import Observability

/// Writes swift-log messages as lines of a `LogSink`. It also records each message in the current `Activity`, or publishes it to the tail
/// if there is none.
///
/// Lines contain the identifiers of their request and job; secrets are removed (command-line.md "tail").
package struct SuiteLogHandler: LogHandler {
    /// Minimum level that is written.
    private var written: Logger.Level
    /// Whether the level was set for this logger; if so, nothing below it is logged.
    private var isOwnLevel = false
    /// Metadata for every line that the logger writes.
    package var metadata: Logger.Metadata = [:]
    /// Adds metadata of the running task.
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let style: LogStyle
    private let sink: LogSink
    private let tail: TailHub
    private let clock: any SuiteClock

    package init(
        label: String, level: Logger.Level, style: LogStyle, sink: LogSink, tail: TailHub,
        clock: any SuiteClock = SystemClock()
    ) {
        self.label = label
        written = level
        self.style = style
        self.sink = sink
        self.tail = tail
        self.clock = clock
    }

    /// The lower of the log's own level and the level requested by followers. A level set for this logger replaces both.
    package var logLevel: Logger.Level {
        get { isOwnLevel ? written : min(written, tail.followedLevel ?? written) }
        set { (written, isOwnLevel) = (newValue, true) }
    }

    /// Metadata of every line of the logger.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes the message if its level is high enough. In any case, records it in the current activity or, if there is none, publishes it to
    /// followers.
    package func log(event: LogEvent) {
        let activity = Activity.current
        let line = LoggedLine(
            time: clock.date.millisecondsSince1970, level: event.level,
            message: Redaction.text(event.message.description), metadata: fields(of: event, activity).redacted)
        if event.level >= written { sink.write(LogRecord(line, label: label).line(style)) }
        if let activity { activity.note(line) } else { tail.publish(TailEntry(line)) }
    }

    /// The fields of a line; of several with the same name, the most specific one is used.
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
    /// The metadata without secrets.
    fileprivate var redacted: Logger.Metadata {
        Logger.Metadata(uniqueKeysWithValues: map { name, value in (name, value.redacted(as: name)) })
    }
}

extension Logger.MetadataValue {
    /// The value without secrets, which are recognized by the value or the name.
    fileprivate func redacted(as name: String) -> Logger.MetadataValue {
        switch self {
        case .string(let text): .string(Redaction.value(ofField: name, text))
        case .stringConvertible(let thing): .string(Redaction.value(ofField: name, thing.description))
        case .array(let values): .array(values.map { $0.redacted(as: name) })
        case .dictionary(let fields): .dictionary(fields.redacted)
        }
    }
}
