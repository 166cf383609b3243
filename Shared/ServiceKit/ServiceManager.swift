import Dispatch
import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers

/// What this process and the service manager that started it have to say to each other; silent where there is none.
final class ServiceManager: Sendable {
    private struct State {
        var waiting = NoticeQueue()
        var isSending = false
    }

    /// Sockets the manager has opened for this process.
    let passedSockets: PassedSockets

    private let link: ServiceManagerLink?
    private let beatInterval: Duration?
    private let logger: Logger
    private let state = NIOLockedValueBox(State())
    /// Where messages are sent one after the other, so that a manager that does not read delays nothing else.
    private let sending = DispatchQueue(label: "service-manager")

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment, processID: Int32 = getpid(), logger: Logger
    ) {
        link = ServiceManagerLink(environment: environment)
        beatInterval = WatchdogDemand.interval(environment: environment, processID: processID)
        passedSockets = PassedSockets(environment: environment, processID: processID)
        self.logger = logger
    }

    /// Sends the notices as one message, soon and behind those before it; does not block.
    func tell(_ notices: ServiceManagerNotice...) {
        guard let link else { return }
        let starts = state.withLockedValue { state in
            state.waiting.append(notices)
            defer { state.isSending = true }
            return !state.isSending
        }
        if starts { sending.async { self.send(over: link) } }
    }

    /// Waits until what was told is sent, at most `seconds`. A process that ends without it may take its last notices with it.
    func finish(within seconds: Double) {
        let sent = DispatchSemaphore(value: 0)
        sending.async { sent.signal() }
        _ = sent.wait(timeout: .now() + seconds)
    }

    private func send(over link: ServiceManagerLink) {
        while let message = next() {
            guard !link.send(message) else { continue }
            logger.warning("the service manager did not take a notice", metadata: ["notice": "\(message)"])
        }
    }

    private func next() -> [ServiceManagerNotice]? {
        state.withLockedValue { state in
            let message = state.waiting.next()
            state.isSending = message != nil
            return message
        }
    }

    /// Beats for as long as the parts of `liveness` answer, if the manager wants beats. The task lives as long as the process.
    func beat(while liveness: Liveness) {
        guard let beatInterval, let link else { return }
        let watchdog = Watchdog(every: beatInterval, clock: ContinuousClock(), liveness: liveness) {
            link.send([.alive])
        }
        Task { await watchdog.run() }
    }
}

/// Messages that the service manager has not taken yet, in the order in which they were told.
///
/// A status takes the place of one that waits in front of it, and the other notices come once in a process's life. So a handful of messages
/// is all that ever waits, however slowly the manager reads.
struct NoticeQueue {
    private var messages: [[ServiceManagerNotice]] = []

    /// How many messages wait.
    var count: Int { messages.count }

    /// Puts a message behind the others.
    mutating func append(_ message: [ServiceManagerNotice]) {
        if let last = messages.last, last.isStatus, message.isStatus { messages.removeLast() }
        messages.append(message)
    }

    /// Takes out the message that has waited longest; nil when none waits.
    mutating func next() -> [ServiceManagerNotice]? { messages.isEmpty ? nil : messages.removeFirst() }
}

extension [ServiceManagerNotice] {
    /// Whether nothing but what people are shown is in it.
    fileprivate var isStatus: Bool {
        allSatisfy { if case .status = $0 { true } else { false } }
    }
}

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

/// Sends notices to the service manager that started the process, if there is one (sd_notify(3)).
///
/// Each message is a datagram from a socket of its own, so that nothing is held open between two of them.
package struct ServiceManagerLink: Sendable {
    /// Longest time that a manager who does not read can hold up a message.
    private static let sendLimit = timeval(tv_sec: 0, tv_usec: 500_000)

    private let address: sockaddr_un
    private let length: socklen_t

    /// Nil when `NOTIFY_SOCKET` names no Unix socket; a leading "@" stands for the abstract namespace (unix(7)).
    package init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        // An abstract name is all bytes of the address, a path ends with a zero.
        let closing = bytes[0] == 0 ? 0 : 1
        length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + closing)
    }

    /// Sends the notices as one message; false when the manager did not take it.
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
