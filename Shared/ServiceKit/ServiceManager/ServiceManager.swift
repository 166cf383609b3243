import Dispatch
import Foundation
import Logging

/// What this process and the service manager that started it have to say to each other; silent where there is none.
final class ServiceManager: Sendable {
    /// Sockets the manager has opened for this process.
    let passedSockets: PassedSockets

    private let link: ServiceManagerLink?
    private let beatInterval: Duration?
    private let logger: Logger
    /// Notices leave in the order in which they were told, and a manager who does not read holds up nobody else.
    private let notices = DispatchQueue(label: "service-manager")

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment, processID: Int32 = getpid(), logger: Logger
    ) {
        link = ServiceManagerLink(environment: environment)
        beatInterval = WatchdogDemand.interval(environment: environment, processID: processID)
        passedSockets = PassedSockets(environment: environment, processID: processID)
        self.logger = logger
    }

    /// Sends the notices, soon; does not block.
    func tell(_ notices: ServiceManagerNotice...) {
        guard let link else { return }
        self.notices.async { [logger] in
            guard !link.send(notices) else { return }
            logger.warning("the service manager did not take a notice", metadata: ["notice": "\(notices)"])
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
