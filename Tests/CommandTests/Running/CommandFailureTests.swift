import BookstrackContract
import ProgressClient
import ServiceKit
import Testing

@testable import BookstrackCLI

@Suite("Failures as the user sees them")
struct CommandFailureTests {
    @Test(
        "each failure has its exit status",
        arguments: [
            (ClientFailure.unreachable(address: "a", reason: "b"), 69), (ClientFailure.timedOut, 69),
            (ClientFailure.malformed("x"), 76), (ClientFailure.upgradeRefused(HTTPAnswer(status: 401)), 77),
            (ClientFailure.upgradeRefused(HTTPAnswer(status: 503)), 75), (ClientFailure.unsupportedAddress("x"), 64),
            (APIRefusal(status: 429, code: .rateLimitExceeded, message: "slow down"), 75),
            (APIRefusal(status: 400, code: .batchTooLarge, message: "too many"), 76),
            (SettingsError.contradiction("x"), 78), (SettingsError.unknownOption("--x"), 64),
            (CommandFailure(.badInput, "x"), 65),
        ] as [(any Error, Int32)])
    func statuses(error: any Error, status: Int32) {
        #expect(CommandFailure(error).status.rawValue == status)
    }

    @Test("when nothing answers, the message says how to start it")
    func hint() {
        let message = CommandFailure(ClientFailure.unreachable(address: "http://h:1", reason: "connection refused"))
            .message
        #expect(message.hasPrefix("nothing answers at http://h:1 (connection refused); start the services"))
        #expect(message.contains("deploy/quickstart --keep"))
    }

    @Test("a batch that is too large names the option")
    func batch() {
        let refusal = APIRefusal(status: 400, code: .batchTooLarge, message: "At most 5 books")
        #expect(CommandFailure(refusal).message.contains("--batch-size"))
    }

    @Test("help lists every exit status")
    func help() {
        for status in ExitStatus.allCases { #expect(ExitStatus.help.contains("\(status.rawValue)  ")) }
    }
}
