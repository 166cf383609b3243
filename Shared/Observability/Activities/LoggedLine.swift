package import Logging

/// One log message, as it was logged.
package struct LoggedLine: Sendable {
    /// Milliseconds since 1970.
    package var time: Int64
    /// Severity.
    package var level: Logger.Level
    /// Without what is secret.
    package var message: String
    /// Those of the logger, of the activity and of the message together, without what is secret.
    package var metadata: Logger.Metadata

    package init(time: Int64, level: Logger.Level, message: String, metadata: Logger.Metadata) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}
