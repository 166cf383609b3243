import Foundation
import NIOConcurrencyHelpers
import Testing
@testable import BookstrackCLI

@Suite("Commands that run until a signal", .timeLimit(.minutes(1)))
struct StopSignalsTests {
    @Test("the body runs repeatedly until a signal arrives, and the signal is not an error")
    func signal() async throws {
        let rounds = NIOLockedValueBox(0)
        try await StopSignals([SIGUSR2]).repeating(every: .milliseconds(1)) {
            let round = rounds.withLockedValue { rounds in
                rounds += 1
                return rounds
            }
            if round == 3 { kill(getpid(), SIGUSR2) }
        }
        #expect(rounds.withLockedValue { $0 } >= 3)
    }

    @Test("a signal that arrives before the first run is not lost")
    func early() async throws {
        for _ in 0..<20 {
            let signals = StopSignals([SIGUSR2])
            kill(getpid(), SIGUSR2)
            try await signals.repeating(every: .seconds(60)) {}
        }
    }

    @Test("an error thrown by the body also ends the run")
    func failure() async {
        await #expect(throws: CommandFailure.self) {
            try await StopSignals([SIGUSR1]).repeating(every: .seconds(60)) { throw CommandFailure(.tryLater, "no") }
        }
    }
}

@Suite("Confirmations")
struct ConfirmationTests {
    @Test(
        "only y or yes confirms",
        arguments: [
            ("y", true), ("YES ", true), ("", false), ("n", false), ("yesterday", false), (nil, false),
        ] as [(String?, Bool)])
    func answers(line: String?, confirmed: Bool) throws {
        #expect(try Confirmation(isTerminal: true, ask: { _ in line }).confirms("Sure?") == confirmed)
    }

    @Test("without a terminal, a command that needs confirmation fails unless --yes is given")
    func noTerminal() {
        let failure = #expect(throws: CommandFailure.self) {
            try Confirmation(isTerminal: false, ask: { _ in "y" }).confirms("Sure?")
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("--yes") == true)
    }
}
