/// One thing a process tells the service manager that started it (sd_notify(3)).
package enum ServiceManagerNotice: Sendable, Equatable {
    /// The process's own sockets listen, whatever its peers do (systemd.md).
    case ready
    /// The process stops; sent at the first signal.
    case stopping
    /// The process makes progress; expected within each `WatchdogSec=`.
    case alive
    /// What the process is doing, in one line for people; shown by `systemctl status`.
    case status(String)

    /// The assignment as it is sent, without a line end: one in a status would begin another assignment.
    package var assignment: String {
        switch self {
        case .ready: "READY=1"
        case .stopping: "STOPPING=1"
        case .alive: "WATCHDOG=1"
        case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}
