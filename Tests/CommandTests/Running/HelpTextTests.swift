import ArgumentParser
import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Help")
struct HelpTextTests {
    private static let plain = OutputStyle(width: 80, colors: false)

    /// The paths of all commands; the path of the program itself is "".
    static let paths = (try? CommandDescription.suite().all.map(\.path)) ?? []

    private static func help(_ path: String) throws -> HelpText {
        let command = try #require(try CommandDescription.suite().all.first { $0.path == path })
        return HelpText(command: command, style: plain)
    }

    @Test("bookstrack without arguments shows its usage and every command within 24 rows")
    func brief() throws {
        let help = try Self.help("")
        let lines = help.brief.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.first == "Usage: bookstrack <command>")
        #expect(lines.count <= 23)
        for line in lines { #expect(DisplayWidth.of(line) <= 80, "\(line)") }
        for verb in help.command.verbs { #expect(lines.contains { $0.hasPrefix("  \(verb.commandName) ") }) }
    }

    @Test("help starts with the usage, has three examples, and ends with the exit statuses", arguments: paths)
    func order(path: String) throws {
        let help = try Self.help(path)
        #expect(help.full.hasPrefix("Usage: \(help.command.invocation)"))
        #expect(VerbNotes.of(path).examples.count == 3)
        #expect(VerbNotes.of(path).statuses.count > 1)
        let examples = try #require(help.full.range(of: "\nExamples:\n"))
        let statuses = try #require(help.full.range(of: "\nExit status:\n"))
        #expect(examples.upperBound < statuses.lowerBound)
        #expect(!help.full[statuses.upperBound...].contains(":\n"))
    }

    @Test("help lists every argument and stays within the terminal's width", arguments: paths)
    func arguments(path: String) throws {
        let help = try Self.help(path)
        for argument in help.command.shown { #expect(help.full.contains("  \(argument.label)"), "\(argument.label)") }
        for line in help.full.split(separator: "\n") {
            #expect(DisplayWidth.of(line) <= 80, "\(line)")
        }
    }

    @Test("help of every command that reads settings lists the exit status for an invalid one", arguments: paths)
    func invalidSettings(path: String) {
        // doctor reports invalid settings as a problem, and completions reads none.
        let readsSettings = !["doctor", "completions"].contains(path)
        #expect(VerbNotes.of(path).statuses.contains { $0.status == .configuration } == readsSettings)
    }

    @Test("every example is a command line that can be parsed", arguments: paths)
    func examples(path: String) throws {
        for example in VerbNotes.of(path).examples {
            let arguments = try #require(Self.arguments(of: example.command), "\(example.command)")
            #expect(throws: Never.self, "\(example.command)") { try BookstrackCommand.parseAsRoot(arguments) }
        }
    }

    @Test("help lists every exit status")
    func statuses() throws {
        let help = try Self.help("").full
        for status in ExitStatus.allCases { #expect(help.contains("\(status.rawValue)  \(status.meaning.prefix(20))")) }
    }

    @Test("help names every reason why a book may have no result")
    func reasons() throws {
        let help = try Self.help("").full
        for reason in FailureReason.allCases { #expect(help.contains("  \(reason.word): "), "\(reason)") }
    }

    /// The words after the first "bookstrack" in a shell line, up to the next shell operator; nil if the line does not contain "bookstrack".
    private static func arguments(of line: String) -> [String]? {
        guard let start = line.range(of: "bookstrack ") else { return nil }
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line[start.upperBound...] {
            switch character {
            case _ where character == quote: quote = nil
            case "\"", "'": if quote == nil { (quote, word) = (character, word ?? "") } else { word?.append(character) }
            case "|", ">", ";",
                ")" where quote == nil:
                return words + (word.map { [$0] } ?? [])
            case " " where quote == nil:
                words += word.map { [$0] } ?? []
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
