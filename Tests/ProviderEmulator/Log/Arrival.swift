import Foundation
import NIOCore

/// When a request arrived.
struct Arrival: Equatable, Sendable {
    /// Since the emulator started; never goes backwards.
    let sinceStart: TimeAmount
    let wall: Date

    var milliseconds: Double { Double(sinceStart.nanoseconds) / 1_000_000 }

    /// The machine's clocks, counted from now.
    static func clock() -> @Sendable () -> Arrival {
        let start = NIODeadline.now()
        return { Arrival(sinceStart: NIODeadline.now() - start, wall: Date()) }
    }
}
