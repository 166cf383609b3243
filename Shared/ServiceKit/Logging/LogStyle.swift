/// How one log line is written.
package enum LogStyle: Sendable {
    /// For people at a terminal: time of day, level, service, message, fields.
    case pretty
    /// One JSON object.
    case json
    /// For the journal, which notes time and service itself: priority in front (sd-daemon(3)), message, fields.
    case journal
}
