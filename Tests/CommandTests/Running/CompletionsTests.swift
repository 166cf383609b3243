import ArgumentParser
import Foundation
import Subprocess
import SuiteFixture
import Testing

@testable import BookstrackCLI

@Suite("Completions and the man page")
struct CompletionsTests {
    private static let page = (try? ManualPage(suite: CommandDescription.suite(), version: "1.2.3").text) ?? ""

    private static func isInstalled(_ program: String) -> Bool {
        ["/bin", "/usr/bin", "/usr/local/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Runs a program on a file with the given text; returns its error output and whether it succeeded.
    private static func run(_ program: String, _ arguments: [String], on text: String) async throws -> (
        ok: Bool, said: String
    ) {
        let path = FileManager.default.temporaryDirectory.path + "/bookstrack-\(UUID())"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments + [path]),
            environment: .inherit.updating(["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANPAGER": "cat"]
            ),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return (result.terminationStatus.isSuccess, result.standardError)
    }

    @Test("each shell accepts its completion script", arguments: CompletionsCommand.Shell.allCases)
    func syntax(shell: CompletionsCommand.Shell) async throws {
        let kind = try #require(CompletionShell(rawValue: shell.rawValue))
        let script = BookstrackCommand.completionScript(for: kind)
        #expect(script.contains("enrich"))
        guard Self.isInstalled(shell.rawValue) else {
            return print("\(shell.rawValue) is not installed; its script is not checked")
        }
        let check = try await Self.run(shell.rawValue, ["-n"], on: script)
        #expect(check.ok)
        #expect(check.said == "")
    }

    @Test("lists and backups are completed with paths, jobs with their identifiers, and services with their names")
    func kinds() throws {
        let script = BookstrackCommand.completionScript(for: .zsh)
        for verb in ["enrich", "backup", "restore", "check"] {
            #expect(
                try Self.completion(of: verb).contains("file") || Self.completion(of: verb).contains("directory"),
                "\(verb)")
        }
        for verb in ["watch", "results", "cancel"] {
            #expect(try Self.completion(of: verb).contains("custom"), "\(verb)")
        }
        for verb in ["health", "tail"] { #expect(try Self.completion(of: verb).contains("list"), "\(verb)") }
        #expect(!script.contains("manual"))
    }

    /// How the first positional argument of a command is completed, according to ArgumentParser.
    private static func completion(of verb: String) throws -> String {
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(BookstrackCommand._dumpHelp().utf8)) as? [String: Any])
        let commands = try #require((json["command"] as? [String: Any])?["subcommands"] as? [[String: Any]])
        let command = try #require(commands.first { $0["commandName"] as? String == verb })
        let arguments = try #require(command["arguments"] as? [[String: Any]])
        let positional = try #require(arguments.first { $0["kind"] as? String == "positional" })
        return "\((positional["completionKind"] as? [String: Any])?.keys.first ?? "none")"
    }

    @Test("the man page lists every command with all its options", arguments: HelpTextTests.paths)
    func complete(path: String) throws {
        let command = try #require(try CommandDescription.suite().all.first { $0.path == path })
        #expect(Self.page.contains(path.isEmpty ? ".SH SYNOPSIS" : ".SS \"\(command.invocation)\""))
        for argument in command.shown {
            #expect(
                Self.page.contains(argument.label.replacing("-", with: "\\-").replacing("'", with: "\\(aq")),
                "\(argument.label)")
        }
    }

    @Test("man reports no problems in the page")
    func warnings() async throws {
        guard Self.isInstalled("man") else { return print("man is not installed; the page is not checked") }
        let check = try await Self.run("man", ["--warnings", "-l"], on: Self.page)
        #expect(check.ok)
        #expect(check.said == "")
    }
}
