import ArgumentParser
import Testing

@testable import BookstrackCLI

@Suite("Output options and the pager")
struct OutputOptionsTests {
    @Test("--json is short for --format json, and with neither option a table is printed")
    func formats() throws {
        #expect(try OutputOptions.parse([]).format == .table)
        #expect(try OutputOptions.parse(["--json"]).format == .json)
        #expect(try OutputOptions.parse(["--json", "--format", "json"]).format == .json)
        #expect(try OutputOptions.parse(["--format", "csv"]).format == .csv)
    }

    @Test("--json with a different format is an error that names both", arguments: ["csv", "table"])
    func conflict(format: String) {
        let error = #expect(throws: (any Error).self) { try OutputOptions.parse(["--json", "--format", format]) }
        #expect(
            error.map { OutputOptions.message(for: $0) }
                == "--json means --format json; omit either --json or --format \(format)."
        )
    }

    @Test("JSON output contains no control characters, which a terminal would obey")
    func controls() throws {
        #expect(try OutputOptions.jsonLine(["\u{9B}31mDune\u{7F}"]) == #"["\u009b31mDune\u007f"]"#)
        #expect(try !OutputOptions.json(["\u{9D}0;title\u{9C}"]).unicodeScalars.contains("\u{9D}"))
    }

    @Test("a style without colors leaves text unchanged")
    func plain() {
        #expect(OutputStyle(width: 80, colors: false).paint("down", .problem) == "down")
        #expect(OutputStyle(width: 80, colors: true).paint("down", .problem) == "\u{1B}[31mdown\u{1B}[0m")
    }

    @Test(
        "the pager is PAGER's command, by default `less`; there is none for an empty PAGER, `cat` or a dumb terminal",
        arguments: [
            ([:], "less -FRX"), (["PAGER": "more -d"], "more -d"), (["PAGER": ""], nil), (["PAGER": "cat"], nil),
            (["TERM": "dumb"], nil),
        ] as [([String: String], String?)])
    func pagers(environment: [String: String], command: String?) {
        #expect(Pager(environment: environment) { _ in true }?.command == command)
    }

    @Test("a pager that is not installed is not used")
    func missing() {
        #expect(Pager(environment: [:]) { _ in false } == nil)
    }

    @Test("output needs a pager if it leaves no row for the prompt, counting wrapped lines")
    func long() {
        #expect(!Pager.isLong("a\nb\nc\n", rows: 4, columns: 80))
        #expect(Pager.isLong("a\nb\nc\n", rows: 3, columns: 80))
        #expect(Pager.isLong("aaaaaaaaaa\n", rows: 3, columns: 4))
    }
}
