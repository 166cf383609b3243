/// What signals do to a process (operations.md): the first one stops it gracefully, the second one at once.
struct StopSequence {
    enum Action: Equatable {
        /// Nothing runs yet: leave.
        case exit
        /// Stop the services in order.
        case stopGracefully
        /// Leave now.
        case abort
    }

    private enum Phase {
        case starting
        case running
        case stopping
    }

    private var phase = Phase.starting

    /// The services run from here on; false when the process is to end instead.
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
