import Foundation
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import UnixSignals

/// Carries out the actions of `StopSequence` when signals arrive.
final class Stopper: Sendable {
    private struct State {
        var sequence = StopSequence()
        var group: ServiceGroup?
    }

    private let state = NIOLockedValueBox(State())
    private let logger: Logger
    private let health: HealthReporter
    private let manager: ServiceManager
    private let sink: LogSink

    init(logger: Logger, health: HealthReporter, manager: ServiceManager, sink: LogSink) {
        self.logger = logger
        self.health = health
        self.manager = manager
        self.sink = sink
    }

    /// Handles SIGTERM and SIGINT from now on. The task runs as long as the process.
    func listen() async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task {
            for await signal in signals { await received(signal) }
        }
    }

    /// Stores the group to stop; returns false if a signal has already arrived.
    func servicesStarted(_ group: ServiceGroup) -> Bool {
        state.withLockedValue {
            $0.group = group
            return $0.sequence.servicesStarted()
        }
    }

    private func received(_ signal: UnixSignal) async {
        let (action, group) = state.withLockedValue { ($0.sequence.signalReceived(), $0.group) }
        if action != .abort { manager.tell(.stopping, .status("stopping")) }
        switch action {
        case .exit:
            logger.notice("stopped before it was ready", metadata: ["signal": "\(signal)"])
            ServiceMain.leave(.success, manager, sink)
        case .stopGracefully:
            logger.notice("stopping", metadata: ["signal": "\(signal)"])
            health.beginStopping()
            endAfterLimit()
            await group?.triggerGracefulShutdown()
        case .abort:
            _exit(128 + signal.rawValue)
        }
    }

    private func endAfterLimit() {
        Task {
            try await Task.sleep(for: ServiceMain.stopLimit)
            logger.critical("stopping took too long")
            sink.close(within: 0.2)
            _exit(ExitCode.stopTookTooLong.rawValue)
        }
    }
}

/// The effect of signals on a process (operations.md): the first signal stops the process gracefully, the second one immediately.
struct StopSequence {
    enum Action: Equatable {
        /// Exit, because nothing is running yet.
        case exit
        /// Stop the services in order.
        case stopGracefully
        /// Exit now.
        case abort
    }

    private enum Phase {
        case starting
        case running
        case stopping
    }

    private var phase = Phase.starting

    /// The services are running from now on; false if the process must end instead.
    mutating func servicesStarted() -> Bool {
        guard phase == .starting else { return false }
        phase = .running
        return true
    }

    mutating func signalReceived() -> Action {
        defer { phase = .stopping }
        return switch phase {
        case .starting: .exit
        case .running: .stopGracefully
        case .stopping: .abort
        }
    }
}
