import Foundation
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import UnixSignals

/// Carries out the actions of `StopSequence` when signals arrive, or when a service asks to stop its process.
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

    /// Starts a task that handles SIGTERM and SIGINT for the rest of the process's life.
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

    /// Stops the process for a reason other than a signal; does nothing if its services are not running yet or it is already stopping.
    func stop(_ reason: String) async {
        guard state.withLockedValue({ $0.sequence.stopRequested() }) else { return }
        await stopGracefully(["reason": "\(reason)"])
    }

    private func received(_ signal: UnixSignal) async {
        switch state.withLockedValue({ $0.sequence.signalReceived() }) {
        case .exit:
            manager.tell(.stopping, .status("stopping"))
            logger.notice("stopped before it was ready", metadata: ["signal": "\(signal)"])
            ServiceMain.leave(.success, manager, sink)
        case .stopGracefully: await stopGracefully(["signal": "\(signal)"])
        case .keepStopping: break
        case .abort: _exit(128 + signal.rawValue)
        }
    }

    private func stopGracefully(_ cause: Logger.Metadata) async {
        manager.tell(.stopping, .status("stopping"))
        logger.notice("stopping", metadata: cause)
        health.beginStopping()
        endAfterLimit()
        await state.withLockedValue(\.group)?.triggerGracefulShutdown()
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

/// The effect of signals on a process (operations.md): the first signal stops the process gracefully, the second one immediately. The first one
/// also stops it immediately if its services are not running yet, and has no effect if the process is already stopping for another reason.
struct StopSequence {
    enum Action: Equatable {
        /// Exit, because nothing is running yet.
        case exit
        /// Stop the services in order.
        case stopGracefully
        /// Continue to stop gracefully.
        case keepStopping
        /// Exit now.
        case abort
    }

    private enum Phase {
        case starting
        case running
        case stopping(bySignal: Bool)
    }

    private var phase = Phase.starting

    /// Marks the services as running; false if a signal has already arrived.
    mutating func servicesStarted() -> Bool {
        guard case .starting = phase else { return false }
        phase = .running
        return true
    }

    mutating func signalReceived() -> Action {
        defer { phase = .stopping(bySignal: true) }
        return switch phase {
        case .starting: .exit
        case .running: .stopGracefully
        case .stopping(bySignal: false): .keepStopping
        case .stopping(bySignal: true): .abort
        }
    }

    /// Records a service's request to stop its process; false if the services are not running yet or the process is already stopping.
    mutating func stopRequested() -> Bool {
        guard case .running = phase else { return false }
        phase = .stopping(bySignal: false)
        return true
    }
}
