import ArgumentParser
import Testing

@testable import BookstrackCLI

/// The arguments and options of every command. Scripts rely on them (deploy/docs/command-line.md), so none may be renamed.
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

    @Test(
        "a command line with missing, extra or invalid arguments is rejected",
        arguments: [
            "search isbn", "search title", "search editions dune", "search title dune --limit many", "import",
            "import a.csv b.csv", "import a.csv --map Naam", "import a.csv --map Naam=nothing",
            "import a.csv --format xls",
            "scan", "jobs --status lost", "jobs --pipeline mail", "jobs --since yesterday", "watch", "retry",
            "retry a b",
            "cancel", "health", "health mail-server", "backup", "backup a b", "restore", "check a b", "status extra",
            "tail mail-server", "tail --status maybe", "tail --sampling-rate often", "jobs --format xml",
            "jobs --json --format csv", "doctor --fix", "cache stats --yes",
        ])
    func refused(line: String) {
        #expect(throws: (any Error).self) {
            try BookstrackCommand.parseAsRoot(line.split(separator: " ").map(String.init))
        }
    }

    @Test(
        "command lines with the documented options are accepted",
        arguments: [
            "search isbn 9780441172719 0-306-40615-2", "search title left hand --author leguin --limit 20 --explain",
            "search author ursula le guin --format csv", "search editions dune --author herbert --limit 50",
            "import a.csv --preview --map Naam=title --map 3=isbn --format goodreads --no-enrich --no-ai --json",
            "enrich a.csv 9780441172719 --batch-size 100", "enrich --resume list", "scan a.jpg b.jpg --annotate boxes",
            "jobs --status failed --status cancelled --pipeline ai_scan --since 2h --before 1d --limit 5 -w",
            "watch f2fe9772 --json", "results f2fe9772 a1b2c3d4 --format csv", "retry f2fe9772 --token T",
            "cancel f2fe9772 --url http://127.0.0.1:9000", "cache purge -y", "tail api-proxy progress-host --since 10m",
            "tail --last 50 --all --level warning", "status --watch", "health enrichment-worker-b", "doctor --json",
            "config --http-port 9000", "backup /tmp/b --with-cache", "restore /tmp/b --yes --wait 60", "check --full",
        ])
    func accepted(line: String) {
        #expect(throws: Never.self) { try BookstrackCommand.parseAsRoot(line.split(separator: " ").map(String.init)) }
    }
}
