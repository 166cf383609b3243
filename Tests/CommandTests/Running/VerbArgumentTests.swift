import ArgumentParser
import BookstrackContract
import Testing

@testable import BookstrackCLI

/// The arguments that each command accepts, and those that it rejects before it does anything.
@Suite("Command arguments")
struct VerbArgumentTests {
    private func parse<Verb>(_ line: [String], as type: Verb.Type = Verb.self) throws -> Verb {
        try #require(try BookstrackCommand.parseAsRoot(line) as? Verb)
    }

    /// The error for a rejected command line; nil for an accepted one.
    private func refusal(_ line: [String]) -> String? {
        do {
            _ = try BookstrackCommand.parseAsRoot(line)
            return nil
        } catch {
            return BookstrackCommand.message(for: error)
        }
    }

    @Test("output options before and among the service options are combined")
    func outputOptions() throws {
        let before = try OutputOptions.parse(["--json"])
        #expect(try before.adding([]).format == .json)
        let all = try before.adding(["--no-pager"])
        #expect(all.format == .json)
        #expect(all.withoutPager)
        #expect(try before.adding(["--format", "csv"]).format == .csv)
    }

    @Test(
        "an invalid or contradictory command line is rejected with the reason",
        arguments: [
            (["enrich"], "Give a file or an ISBN."),
            (["enrich", "a.csv", "--resume", "L"], "--resume cannot be combined with books."),
            (["enrich", "a.csv", "--batch-size", "0"], "--batch-size must be from 1 to 10000."),
            (["enrich", "a.csv", "--batch-size", "10001"], "--batch-size must be from 1 to 10000."),
            (["analytics", "--failing", "--since", "30d"], "--failing is not limited to a period; omit --since."),
            (["jobs", "--limit", "0"], "--limit must be at least 1."),
            (["jobs", "--watch", "--format", "csv"], "--watch prints a table or JSON, not CSV."),
            (["status", "-w", "--format", "csv"], "--watch prints a table or JSON, not CSV."),
            (
                ["watch", "job-1", "--format", "csv"],
                "Progress cannot be printed as CSV; for results, use bookstrack results --format csv."
            ),
            (["scan", "1", "2", "3", "4", "5", "6"], "Give 1 to 5 photos."),
            (["search", "title", "dune", "--limit", "21"], "--limit must be from 1 to 20."),
            (["search", "author", "herbert", "--limit", "0"], "--limit must be from 1 to 20."),
            (["search", "editions", "dune", "--author", "h", "--limit", "51"], "--limit must be from 1 to 50."),
            (["backup", ""], "The backup directory must not be empty."),
            (["restore", ""], "The backup directory must not be empty."),
            (["check", ""], "The backup directory must not be empty."),
            (["restore", "b", "--wait", "3601"], "--wait must be from 0 to 3600."),
            (["restore", "b", "--wait=-1"], "--wait must be from 0 to 3600."),
            (
                ["tail", "--json", "--format", "pretty"],
                "--json means --format json; omit either --json or --format pretty."
            ),
            (["tail", "--last", "0"], "--last must be at least 1."),
            (["tail", "--since", "2999-01-01T00:00:00Z"], "--since is in the future; a UTC time ends in Z."),
            (["tail", "--search", ""], "--search must not be empty."),
            (["tail", "--request", ""], "--request needs an id."),
            (["tail", "--method", ""], "--method needs a name, for example GET."),
            (
                ["tail", "--sampling-rate", "1"],
                "--sampling-rate must be greater than 0 and less than 1, for example 0.1."
            ),
        ])
    func contradictions(line: [String], message: String) {
        #expect(refusal(line) == message)
    }

    @Test(
        "missing, extra and invalid arguments are rejected",
        arguments: [
            ["jobs", "--status", "done"], ["jobs", "--pipeline", "music"], ["jobs", "--since", "yesterday"],
            ["jobs", "--limit", "many"], ["import"], ["import", "a.csv", "--format", "excel"],
            ["import", "a.csv", "--map", "Naam=titel"], ["import", "a.csv", "--map", "Naam"], ["search", "isbn"],
            ["search", "editions", "dune"], ["health"], ["health", "database"], ["results"], ["retry"], ["cancel"],
            ["cancel", "a", "b"], ["backup"], ["scan"], ["status", "extra"], ["doctor", "--fix"],
            ["cache", "stats", "x"], ["cache", "stats", "--yes"], ["watch"], ["restore"], ["search", "title"],
            ["search", "title", "dune", "--limit", "many"], ["import", "a.csv", "b.csv"], ["backup", "a", "b"],
            ["check", "a", "b"], ["tail", "mail-server"], ["tail", "--status", "maybe"],
            ["tail", "--sampling-rate", "often"],
            ["completions", "powershell"], ["status", "--format", "xml"], ["jobs", "--json", "--format", "table"],
        ])
    func unreadable(line: [String]) {
        #expect(refusal(line) != nil)
    }

    @Test(
        "documented command lines are accepted",
        arguments: [
            "search isbn 9780441172719 0441172717", "search title left hand of darkness",
            "search title emma --author austen --covers", "search title dune --limit 20 --explain",
            "search author ursula le guin --limit 5", "search editions dune --author herbert --limit 50",
            "import library.csv --preview", "import library.csv --map Naam=title --map 3=isbn --no-enrich",
            "import - --format goodreads --no-ai --json", "enrich list.txt 9780441172719", "enrich --resume L",
            "enrich a.csv --batch-size 100", "scan a.jpg b.png --annotate /tmp/boxes",
            "jobs --status failed --status cancelled --since 2h",
            "jobs --watch --json", "jobs --pipeline csv_import --before 1d --limit 500", "watch job-1 job-2 --json",
            "results job-1 --format csv", "retry job-1 --token T", "cancel job-1 --url http://h:1", "cache stats",
            "cache purge --yes", "cache purge -y --json", "tail", "tail api-proxy progress-host --status error",
            "tail --since 10m --last 50 --all --level warning", "status --watch", "status -w --json", "doctor --json",
            "backup /srv/backups --with-cache", "restore /srv/b --yes --wait 0", "check", "check /srv/b --full",
            "analytics --since 30d --format csv", "analytics --failing",
            "health enrichment-worker", "health enrichment-worker-b --json", "config", "config --http-port 9000",
            "completions zsh", "status --no-pager --format csv",
        ])
    func documented(line: String) {
        #expect(refusal(line.split(separator: " ").map(String.init)) == nil)
    }

    @Test("with no options, the documented defaults apply")
    func defaults() throws {
        let jobs = try parse(["jobs"], as: JobsCommand.self)
        #expect(jobs.limit == 20)
        #expect(jobs.statuses.isEmpty)
        #expect(!jobs.watch)
        let enrich = try parse(["enrich", "a"], as: EnrichCommand.self)
        #expect(enrich.batchSize == 10_000)
        #expect(enrich.resume == nil)
        let restore = try parse(["restore", "b"], as: RestoreCommand.self)
        #expect(restore.wait == 15)
        #expect(!restore.yes)
        let check = try parse(["check"], as: CheckCommand.self)
        #expect(check.backup == nil)
        #expect(!check.full)
        #expect(try parse(["backup", "d"], as: BackupCommand.self).withCache == false)
    }

    @Test("values of a repeated option are combined, and times are parsed as points in the past")
    func repeated() throws {
        let jobs = try parse(
            [
                "jobs", "--status", "failed", "--status", "cancelled", "--pipeline", "ai_scan", "--since", "2h",
                "--before", "1d",
            ],
            as: JobsCommand.self)
        #expect(jobs.statuses == [.failed, .cancelled])
        #expect(jobs.pipelines == [.aiScan])
        #expect(jobs.since == .ago(seconds: 7_200))
        #expect(jobs.before == .ago(seconds: 86_400))
    }

    @Test("an import's options are parsed into its file, format, mapping and flags")
    func importing() throws {
        let verb = try parse(
            ["import", "-", "--format", "librarything-json", "--map", "a=b=author", "--no-enrich", "--no-ai"],
            as: ImportCommand.self)
        #expect(verb.file == "-")
        #expect(verb.format == .librarythingJSON)
        #expect(verb.mapping == [MappingArgument(column: "a=b", role: .author)])
        #expect(verb.withoutEnrichment)
        #expect(verb.withoutModel)
        #expect(!verb.preview)
    }

    @Test("the words of a search need no quotation marks, and a double dash ends the options")
    func words() throws {
        #expect(try parse(["search", "title", "the", "left", "hand"], as: SearchTitleCommand.self).words.count == 3)
        #expect(try parse(["enrich", "--", "--odd-name"], as: EnrichCommand.self).books == ["--odd-name"])
    }

    @Test(
        "an invalid command line has exit status 64",
        arguments: [
            ["enrich"], ["jobs", "--limit", "0"], ["nonsense"], ["import"], ["status", "--format", "xml"],
        ])
    func status(line: [String]) throws {
        let error = try #require(throws: (any Error).self) { try BookstrackCommand.parseAsRoot(line) }
        #expect(BookstrackCommand.exitCode(for: error).rawValue == 64)
    }
}
