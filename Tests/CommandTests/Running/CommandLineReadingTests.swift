import ArgumentParser
import BookstrackContract
import Foundation
import ServiceKit
import Testing
@testable import BookstrackCLI

@Suite("Parsing the command line")
struct CommandLineReadingTests {
    private static func reading(_ line: String) throws -> CommandLineReading {
        CommandLineReading(line.split(separator: " ").map(String.init), in: try CommandDescription.suite())
    }

    @Test(
        "help is shown for the named command",
        arguments: [
            ("", ""), ("--help", ""), ("help", ""), ("help search title", "search title"),
            ("search title dune --help", "search title"), ("search -h", "search"), ("cache", "cache"),
            ("config --http-port 9000 --help", "config"),
        ])
    func help(line: String, path: String) throws {
        let reading = try Self.reading(line)
        #expect(reading.asksForHelp)
        #expect(reading.command.path == path)
        #expect(reading.correction == nil)
    }

    @Test(
        "neither help nor a correction is shown if help is not requested and no command is unknown",
        arguments: ["search title dune", "--version", "manual", "cancel a b", "enrich -- --help", "--nonsense"])
    func others(line: String) throws {
        let reading = try Self.reading(line)
        #expect(!reading.asksForHelp)
        #expect(reading.correction == nil)
    }

    @Test(
        "an unknown command is reported with a suggestion or with the known commands",
        arguments: [
            ("serach title dune", "unknown command 'serach'; did you mean 'bookstrack search'?"),
            ("help statsu", "unknown command 'statsu'; did you mean 'bookstrack status'?"),
            ("search titel dune", "unknown command 'titel'; did you mean 'bookstrack search title'?"),
            ("cache clear", "unknown command 'clear'; bookstrack cache takes stats or purge"),
            (
                "search dune --json",
                "search needs a kind: isbn, title, author or editions; "
                    + "for example: bookstrack search title dune"
            ),
            (
                "search 9780441172719",
                "search needs a kind: isbn, title, author or editions; "
                    + "for example: bookstrack search isbn 9780441172719"
            ),
        ])
    func corrections(line: String, correction: String) throws {
        #expect(try Self.reading(line).correction == correction)
        #expect(try !Self.reading(line).asksForHelp)
    }

    @Test("the parser's errors are short, and refer to the help instead of listing every option")
    func refusals() throws {
        let message = try Self.reading("jobs --since yesterday").refusal(
            """
            Error: The value 'yesterday' is invalid for '--since <when>'
            Help:  --since <when>  Only jobs created since this time: 90s, 10m, 2h or 1d ago, or a date and time.
            Usage: bookstrack jobs [--status <status> ...] [--pipeline <pipeline> ...]
              See 'bookstrack jobs --help' for more information.
            """)
        #expect(
            message == """
                The value 'yesterday' is invalid for '--since <when>'
                --since <when>  Only jobs created since this time: 90s, 10m, 2h or 1d ago, or a date and time.
                See: bookstrack jobs --help
                """)
    }

    @Test(
        "the distance between two words counts differing letters, and two swapped letters count as one",
        arguments: [("serach", "search", 1), ("wacth", "watch", 1), ("stats", "status", 1), ("", "abc", 3)])
    func distances(from: String, to: String, distance: Int) {
        #expect(SpellingSuggestion.distance(from, to) == distance)
        #expect(SpellingSuggestion.distance(to, from) == distance)
    }
}

@Suite("The API address")
struct APIOptionsTests {
    private let kept = SavedTokens.Entry(
        jobId: .random(), token: "T", url: "http://127.0.0.1:1234", startedAt: "2026-01-01T00:00:00Z")

    private func port(_ arguments: [String], _ environment: [String: String], kept: SavedTokens.Entry?) throws -> Int {
        let settings = try Settings.load(arguments: arguments, environment: environment)
        return try APIOptions.address(settings, kept: [kept].compactMap(\.self)).url.port ?? 0
    }

    @Test("the address is that in the settings, or else the one at which the job was started, or else the default")
    func order() throws {
        #expect(try port(["--url", "http://h:1"], ["BOOKSTRACK_URL": "http://h:2"], kept: kept) == 1)
        #expect(try port([], ["BOOKSTRACK_URL": "http://h:2"], kept: kept) == 2)
        #expect(try port([], [:], kept: kept) == 1234)
        #expect(try port([], [:], kept: nil) == 8787)
    }

    @Test("jobs on two servers are refused, so that neither receives the other's tokens, unless --url names the server")
    func twoServers() throws {
        let other = SavedTokens.Entry(
            jobId: .random(), token: "U", url: "http://127.0.0.1:5678", startedAt: "2026-01-01T00:00:00Z")
        let failure = #expect(throws: CommandFailure.self) {
            try APIOptions.address(Settings.load(arguments: [], environment: [:]), kept: [kept, kept, other])
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("\(other.jobId.short) at http://127.0.0.1:5678") == true)
        let chosen = try Settings.load(arguments: ["--url", "http://h:1"], environment: [:])
        #expect(try APIOptions.address(chosen, kept: [kept, other]).url.port == 1)
    }

    @Test("a list is resumed at its server, unless --url names another one")
    func resumedList() throws {
        let resumed = try ServerAddress("http://h:3")
        #expect(try ServerOptions.parse([]).address(resumed: resumed).url.port == 3)
        #expect(try ServerOptions.parse(["--url", "http://h:1"]).address(resumed: resumed).url.port == 1)
    }
}

@Suite("Server URLs")
struct ServerAddressTests {
    @Test(
        "scheme, host, port and base path are kept, and a trailing slash is dropped",
        arguments: [
            ("http://127.0.0.1:8787", "http://127.0.0.1:8787"), ("http://books.example/", "http://books.example"),
            ("https://books.example", "https://books.example"), ("http://[::1]:9/api/", "http://[::1]:9/api"),
        ])
    func parsed(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test("an IPv6 address is in brackets")
    func literal() throws {
        #expect(try ServerAddress(host: "::1", port: 9).description == "http://[::1]:9")
    }

    @Test(
        "anything but an http or https URL with no user information and no query is rejected",
        arguments: [
            "", "127.0.0.1:8787", "ws://a.example", "http://", "http://u:p@a.example", "https://a?x=1", "ftp://h",
        ])
    func refused(text: String) {
        #expect(throws: CommandFailure(.usage, "\"\(text)\" is not an address such as http://HOST:PORT")) {
            try ServerAddress(text)
        }
    }
}
