import ArgumentParser
import Testing

@testable import BookstrackCLI

/// The arguments and options of the commands. Scripts rely on them (deploy/docs/command-line.md), so none may be renamed.
@Suite("Arguments and options")
struct CommandInterfaceTests {
    struct Verb: Sendable, CustomTestStringConvertible {
        let path: String
        let arguments: [String]

        init(_ path: String, _ arguments: String...) { (self.path, self.arguments) = (path, arguments) }

        var testDescription: String { path }
    }

    private static let verbs = [
        Verb("search isbn", "<isbn>...", "--format", "--json", "--no-pager", "--covers", "--url"),
        Verb(
            "search title", "<words>...", "--author", "--limit", "--explain", "--format", "--json", "--no-pager",
            "--covers", "--url"),
        Verb("search author", "<name>...", "--limit", "--format", "--json", "--no-pager", "--covers", "--url"),
        Verb(
            "search editions", "<title>...", "--author", "--limit", "--format", "--json", "--no-pager", "--covers",
            "--url"),
        Verb("import", "<file>", "--preview", "--format", "--map", "--no-enrich", "--no-ai", "--url", "--json"),
        Verb(
            "enrich", "<file|isbn>...", "--url", "--resume", "--batch-size", "--format", "--json", "--no-pager"),
        Verb("scan", "<photo>...", "--annotate", "--url", "--format", "--json", "--no-pager"),
        Verb(
            "jobs", "--status", "--pipeline", "--since", "--before", "--limit", "-w", "--watch", "--format", "--json",
            "--no-pager"),
        Verb("watch", "<jobs>...", "--url", "--token", "--format", "--json"),
        Verb("results", "<jobs>...", "--url", "--token", "--format", "--json", "--no-pager"),
        Verb("retry", "<job>", "--url", "--token", "--format", "--json", "--no-pager"),
        Verb("cancel", "<job>", "--url", "--token", "--format", "--json", "--no-pager"),
        Verb("analytics", "--since", "--failing", "--format", "--json", "--no-pager"),
        Verb("cache stats", "--format", "--json", "--no-pager"),
        Verb("cache purge", "-y", "--yes", "--format", "--json", "--no-pager"),
        Verb(
            "tail", "<service>...", "--format", "--json", "--status", "--method", "--header", "--search", "--ip",
            "--sampling-rate", "--job", "--request", "--level", "--all", "--since", "--last"),
        Verb("status", "-w", "--watch", "--format", "--json", "--no-pager"),
        Verb("health", "<service>", "--format", "--json", "--no-pager"),
        Verb("doctor", "--format", "--json", "--no-pager"),
        Verb("config", "<options>...", "--format", "--json", "--no-pager"),
        Verb("backup", "<path>", "--with-cache", "--format", "--json", "--no-pager"),
        Verb("restore", "<backup>", "-y", "--yes", "--wait", "--format", "--json", "--no-pager"),
        Verb("check", "<backup>", "--full", "--format", "--json", "--no-pager"),
    ]

    @Test("a command has the documented arguments and no others")
    func arguments() throws {
        let commands = try CommandDescription.suite().all
        for verb in Self.verbs {
            let command = try #require(commands.first { $0.path == verb.path }, "\(verb.path)")
            let names = command.shown.filter { !$0.isUniversal }.flatMap { argument in
                argument.kind == .positional ? [argument.label] : (argument.names ?? []).map(\.text)
            }
            #expect(Set(names) == Set(verb.arguments), "\(verb.path)")
        }
    }

    @Test("every listed command exists, and completions is the only one that is not listed")
    func commands() throws {
        let paths = try CommandDescription.suite().all.filter { $0.verbs.isEmpty }.map(\.path)
        #expect(Set(paths).subtracting(Self.verbs.map(\.path)).sorted() == ["completions"])
        #expect(Set(Self.verbs.map(\.path)).isSubset(of: paths))
    }
}
