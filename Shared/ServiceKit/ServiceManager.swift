import Dispatch
import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers

/// Communication with the service manager that started this process; does nothing without one.
final class ServiceManager: Sendable {
    private struct State {
        var waiting = NoticeQueue()
        var isSending = false
    }

    /// Sockets that the manager opened for this process.
    let passedSockets: PassedSockets

    private let link: ServiceManagerLink?
    private let watchdogInterval: Duration?
    private let logger: Logger
    private let state = NIOLockedValueBox(State())
    /// Sends messages in order on a queue of their own, so a slow manager delays nothing else.
    private let sending = DispatchQueue(label: "service-manager")

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment, processID: Int32 = getpid(), logger: Logger
    ) {
        link = ServiceManagerLink(environment: environment)
        watchdogInterval = WatchdogDemand.interval(environment: environment, processID: processID)
        passedSockets = PassedSockets(environment: environment, processID: processID)
        self.logger = logger
    }

    /// Queues the notices as one message; does not block.
    func tell(_ notices: ServiceManagerNotice...) {
        guard let link else { return }
        let starts = state.withLockedValue { state in
            state.waiting.append(notices)
            defer { state.isSending = true }
            return !state.isSending
        }
        if starts { sending.async { self.send(over: link) } }
    }

    /// Waits until the queued messages are sent, but at most `seconds`. A process that exits without calling this may lose its last notices.
    func finish(within seconds: Double) {
        let sent = DispatchSemaphore(value: 0)
        sending.async { sent.signal() }
        _ = sent.wait(timeout: .now() + seconds)
    }

    private func send(over link: ServiceManagerLink) {
        while let message = next() {
            guard !link.send(message) else { continue }
            logger.warning("the service manager did not accept a notification", metadata: ["notice": "\(message)"])
        }
    }

    private func next() -> [ServiceManagerNotice]? {
        state.withLockedValue { state in
            let message = state.waiting.next()
            state.isSending = message != nil
            return message
        }
    }

    /// Starts a task that sends keep-alives as long as the parts of `liveness` answer; does nothing unless the manager requests keep-alives.
    func startWatchdog(liveness: Liveness) {
        guard let watchdogInterval, let link else { return }
        let watchdog = Watchdog(every: watchdogInterval, liveness: liveness) {
            link.send([.alive])
        }
        Task { await watchdog.run() }
    }
}

/// Messages that have not been sent to the service manager, in order.
///
/// A status replaces an unsent status directly before it, and the other notices in the queue occur only once in the life of a process. Therefore only
/// a few messages are ever waiting, however slow the manager is.
struct NoticeQueue {
    private var messages: [[ServiceManagerNotice]] = []

    /// Number of waiting messages.
    var count: Int { messages.count }

    /// Appends a message.
    mutating func append(_ message: [ServiceManagerNotice]) {
        if let last = messages.last, last.isStatus, message.isStatus { messages.removeLast() }
        messages.append(message)
    }

    /// Removes the oldest message; nil if there is none.
    mutating func next() -> [ServiceManagerNotice]? { messages.isEmpty ? nil : messages.removeFirst() }
}

extension [ServiceManagerNotice] {
    /// Whether the message contains only status texts.
    fileprivate var isStatus: Bool {
        allSatisfy { if case .status = $0 { true } else { false } }
    }
}

/// A notice to the service manager (sd_notify(3)).
package enum ServiceManagerNotice: Sendable, Equatable {
    /// The process's own sockets are listening, regardless of its peers (systemd.md).
    case ready
    /// The process has begun to stop.
    case stopping
    /// The process is making progress; expected at least once per `WatchdogSec=`.
    case alive
    /// What the process is doing, in one line; shown by `systemctl status`.
    case status(String)

    /// The assignment as sent, without line breaks: a line break within a status would start a new assignment.
    package var assignment: String {
        switch self {
        case .ready: "READY=1"
        case .stopping: "STOPPING=1"
        case .alive: "WATCHDOG=1"
        case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}

/// Sends notices to the service manager that started the process, if there is one (sd_notify(3)).
///
/// Each message is a datagram from its own socket, so nothing stays open in between.
package struct ServiceManagerLink: Sendable {
    /// Maximum time that a slow manager can delay a message.
    private static let sendLimit = timeval(tv_sec: 0, tv_usec: 500_000)

    private let address: sockaddr_un
    private let length: socklen_t

    /// Returns nil unless `NOTIFY_SOCKET` contains a valid address of a Unix socket; a leading "@" stands for the abstract namespace (unix(7)).
    package init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        // An abstract name fills the whole length; a path ends with a zero byte.
        let closing = bytes[0] == 0 ? 0 : 1
        length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + closing)
    }

    /// Sends the notices as one message; false if this failed.
    @discardableResult
    package func send(_ notices: [ServiceManagerNotice]) -> Bool {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var limit = Self.sendLimit
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let message = Array(notices.map(\.assignment).joined(separator: "\n").utf8)
        let sent = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, CInt(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == message.count
    }
}
