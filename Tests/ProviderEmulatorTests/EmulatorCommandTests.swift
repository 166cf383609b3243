import ArgumentParser
import Foundation
import Testing

@testable import ProviderEmulator

@Suite("Options of provider-emulator")
struct EmulatorCommandTests {
    private func serve(_ arguments: String...) throws -> ServeCommand {
        try #require(try ProviderEmulatorCommand.parseAsRoot(arguments) as? ServeCommand)
    }

    /// The error for a rejected command line; empty for an accepted one.
    private func refusal(_ arguments: [String]) -> String {
        do {
            _ = try ProviderEmulatorCommand.parseAsRoot(arguments)
            return ""
        } catch {
            return ProviderEmulatorCommand.message(for: error)
        }
    }

    @Test("with no subcommand, the emulator serves on any free port")
    func standard() throws {
        let command = try serve()
        #expect(command.port == 0)
        #expect(command.latency == 0)
        #expect(command.logLimit == 100_000)
        #expect(command.seed == 1)
        #expect(!command.exitWithParent)
        #expect(command.catalog.synthetic == 0)
        #expect(command.catalog.knownFraction == 1)
    }

    @Test("every option is parsed")
    func options() throws {
        let command = try serve(
            "serve", "--port", "8099", "--latency", "40", "--log-limit", "5", "--seed", "9", "--exit-with-parent",
            "--synthetic", "100", "--recorded", "/r", "--goodbooks", "/g.csv", "--known-fraction", "0.5")
        #expect(command.port == 8099)
        #expect(command.latency == 40)
        #expect(command.logLimit == 5)
        #expect(command.seed == 9)
        #expect(command.exitWithParent)
        let sources = command.catalog.sources
        #expect(sources.synthetic == 100)
        #expect(sources.recorded?.path == "/r")
        #expect(sources.goodbooks?.path == "/g.csv")
        #expect(sources.knownFraction == 0.5)
    }

    @Test(
        "an out-of-range value is rejected with the valid range",
        arguments: [
            (["--port", "65536"], "--port must be from 0 to 65535."),
            (["--port=-1"], "--port must be from 0 to 65535."),
            (["--latency=-1"], "--latency must not be negative, and --log-limit must be at least 1."),
            (["--log-limit", "0"], "--latency must not be negative, and --log-limit must be at least 1."),
            (["--synthetic", "2000001"], "--synthetic must be from 0 to 2000000."),
            (["--synthetic=-1"], "--synthetic must be from 0 to 2000000."),
            (["--known-fraction", "1.5"], "--known-fraction must be from 0 to 1."),
            (["--known-fraction=-0.1"], "--known-fraction must be from 0 to 1."),
        ])
    func ranges(arguments: [String], message: String) {
        #expect(refusal(arguments) == message)
    }

    @Test(
        "a value equal to a bound is accepted",
        arguments: [
            ["--port", "65535"], ["--latency", "0"], ["--log-limit", "1"], ["--synthetic", "2000000"],
            ["--known-fraction", "0"], ["--known-fraction", "1"],
        ])
    func bounds(arguments: [String]) {
        #expect(refusal(arguments).isEmpty)
    }

    @Test(
        "a value that is not a number, or is a negative seed, is rejected",
        arguments: [["--port", "http"], ["--seed=-1"], ["--known-fraction", "half"]])
    func notNumbers(arguments: [String]) {
        #expect(refusal(arguments).contains("is invalid for"))
    }

    @Test("the help lists the prefix of every provider", arguments: Provider.allCases)
    func help(provider: Provider) {
        let help = ProviderEmulatorCommand.helpMessage(for: ServeCommand.self, columns: 200)
        #expect(help.contains("/\(provider.rawValue)"))
    }

    @Test("the isbns command accepts a number of synthetic ISBNs, which is unset by default")
    func isbns() throws {
        #expect(try #require(try ProviderEmulatorCommand.parseAsRoot(["isbns"]) as? ISBNListCommand).synthetic == nil)
        let command = try ProviderEmulatorCommand.parseAsRoot(["isbns", "--synthetic", "3"]) as? ISBNListCommand
        #expect(command?.synthetic == 3)
    }
}

@Suite("The end of provider-emulator", .timeLimit(.minutes(1)))
struct StopConditionTests {
    @Test("a signal that arrives before the emulator waits for it is not lost")
    func early() async {
        for _ in 0..<20 {
            let stop = StopCondition([SIGVTALRM])
            kill(getpid(), SIGVTALRM)
            await stop.reached()
        }
    }
}
