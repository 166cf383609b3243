import Dispatch
import Foundation
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
