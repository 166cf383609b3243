import BookstrackContract
import Foundation
import SuiteFixture
import Testing

@Suite("The command line on a terminal, end to end", .serialized)
struct TerminalTests {
    /// Emulator arguments that make lookups slow enough to be interrupted.
    private static let slow = ["--latency", "400", "--synthetic", "60"]

    private static func list(_ suite: SuiteFixture.Suite) async throws -> String {
        let path = suite.directory.appending(path: "list.txt").path
        try await SyntheticBooks.isbns(60).joined(separator: "\n").write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func jobs(_ suite: SuiteFixture.Suite) async throws -> [[String: Any]] {
        let run = try await suite.bookstrack("jobs", "--json")
        let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return try #require(list?["jobs"] as? [[String: Any]])
    }

    /// A string without the control sequences of ECMA-48.
    private static func plain(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").replacing("\r\n", with: "\n")
    }

    @Test(
        "Ctrl-C stops watching several jobs, which all continue and finish, and a second Ctrl-C has no further effect",
        arguments: ["\u{03}", "\u{03}\u{03}"])
    func interrupt(keys: String) async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "1"], emulatorArguments: Self.slow)
        try await SuiteFixture.Suite.run(options) { suite in
            let list = try await Self.list(suite)
            // One job cannot end before Ctrl-C.
            let last = try #require(try await SyntheticBooks.isbns(60).last)
            try await suite.emulator.setFaults(#"[{"isbn":"\#(last)","kind":"hang"}]"#)
            let run = try suite.terminal(["enrich", list, "--batch-size", "20"])
            try await run.waits(for: " found")
            run.type(keys)
            #expect(try await run.exitStatus() == 130)
            let said = Self.plain(run.written)
            #expect(said.contains("Unfinished jobs continue in the background. To resume watching:"))
            let names = try await Self.jobs(suite).compactMap { ($0["jobId"] as? String)?.prefix(8) }.map(String.init)
            #expect(names.count == 3)
            for name in names { #expect(said.contains(name)) }

            try await suite.emulator.setFaults("[]")
            let watch = try suite.terminal(["watch"] + names)
            #expect(try await watch.exitStatus() == 0)
            let ended = try await Self.jobs(suite)
            #expect(ended.map { $0["status"] as? String } == ["completed", "completed", "completed"])
            #expect(ended.map { $0["successCount"] as? Int } == [20, 20, 20])
        }
    }

    @Test("Ctrl-C also works after one of several jobs has completed")
    func interruptLater() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "1"], emulatorArguments: Self.slow)
        try await SuiteFixture.Suite.run(options) { suite in
            let list = try await Self.list(suite)
            // One job cannot end before Ctrl-C.
            let last = try #require(try await SyntheticBooks.isbns(60).last)
            try await suite.emulator.setFaults(#"[{"isbn":"\#(last)","kind":"hang"}]"#)
            let run = try suite.terminal(["enrich", list, "--batch-size", "5"])
            try await OperatorTests.until {
                try await Self.jobs(suite).contains { $0["status"] as? String == "completed" }
            }
            run.type("\u{03}")
            #expect(try await run.exitStatus() == 130)
            #expect(Self.plain(run.written).contains("Unfinished jobs continue in the background."))
        }
    }

    @Test(
        "after Ctrl-C or SIGTERM, the unsubmitted books are counted, and a resumed run submits each of them once",
        arguments: [SIGINT, SIGTERM])
    func interruptHandOver(signal: Int32) async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_RATE_LIMIT": "on"], emulatorArguments: ["--synthetic", "60"])
        try await SuiteFixture.Suite.run(options) { suite in
            let run = try suite.terminal(["enrich", try await Self.list(suite), "--batch-size", "5"])
            try await run.waits(for: "trying again in")
            if signal == SIGINT { run.type("\u{03}") } else { run.send(signal) }
            #expect(try await run.exitStatus() == 128 + signal)
            let said = Self.plain(run.written)
            #expect(said.contains("Not submitted: 10 of 60 books."))
            let resume = try #require(said.firstMatch(of: /bookstrack (enrich --resume [0-9a-f]+)/)).1
            // A restart resets the limits, which are in memory only.
            await suite.proxy.end(SIGTERM)
            try await suite.proxy.start()
            try await suite.waitUntilReady()
            let rest = try await suite.bookstrack(resume.split(separator: " ").map(String.init))
            #expect(rest.status == 0, "\(rest.errors)")
            let jobs = try await Self.jobs(suite)
            #expect(jobs.count == 12)
            #expect(jobs.reduce(0) { $0 + ($1["successCount"] as? Int ?? 0) } == 60)
        }
    }

    @Test("output longer than the terminal is shown in the pager, which also receives Ctrl-C")
    func pager() async throws {
        try await SuiteFixture.Suite.run(.init(emulatorArguments: ["--synthetic", "60"])) { suite in
            let run = try await suite.bookstrack("enrich", try await Self.list(suite), "--json")
            #expect(run.status == 0)
            let job = try #require(try await Self.jobs(suite).first?["jobId"] as? String)
            let script = suite.directory.appending(path: "pager").path
            // Like less, this pager handles Ctrl-C, continues, and exits when a key is pressed.
            let text = "#!/bin/sh\ntrap 'echo heard' INT\nsed 's/^/paged: /'\nuntil read -r key </dev/tty; do :; done\n"
            try text.write(toFile: script, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
            let results = try suite.terminal(["results", job], environment: ["PAGER": script])
            try await results.waits(for: "paged: ISBN")
            results.type("\u{03}")
            try await results.waits(for: "heard")
            results.type("q\n")
            #expect(try await results.exitStatus() == 0)
            #expect(!results.written.contains("interrupted"))

            let enrich = try suite.terminal(
                ["enrich"] + (try await SyntheticBooks.isbns(60)), environment: ["PAGER": script])
            try await enrich.waits(for: "paged: ISBN")
            enrich.type("\u{03}")
            try await enrich.waits(for: "heard")
            enrich.type("q\n")
            #expect(try await enrich.exitStatus() == 0)
            #expect(!enrich.written.contains("in the background"))

            for (arguments, changes) in [
                (["results", job, "--no-pager"], [:]), (["results", job], ["TERM": "dumb"]),
                (["health", "api-proxy"], [:]),
            ] {
                let changes = changes.merging(["PAGER": script]) { $1 }
                let run = try suite.terminal(arguments, environment: changes)
                #expect(try await run.exitStatus() == 0)
                #expect(!run.written.contains("paged"))
            }
        }
    }

    @Test("the output of commands is not wider than the terminal", arguments: [80, 140] as [UInt16])
    func width(columns: UInt16) async throws {
        try await SuiteFixture.Suite.run { suite in
            _ = try await suite.bookstrack("enrich", "deploy/sample/books.csv", "9780000000002", "12345")
            _ = try await suite.bookstrack("enrich", "9780441172719", "9780000000002")
            let job = try #require(try await Self.jobs(suite).first?["jobId"] as? String)
            let lines: [String] = [
                "--help", "enrich --help", "tail --help", "status", "doctor", "config", "check", "cache stats", "jobs",
                "health progress-host", "results \(job)", "watch \(job)", "cancel \(job)", "retry \(job)",
                "retry \(job)",
                "enrich 9780441172719 9780000000002", "search title dune --explain", "search author jane austen",
                "search isbn 9780441172719 9780141439587 --covers", "search editions dune --author frank",
                "search dune", "jobs --status done", "jobs --since yesterday", "results abc", "results 4e97b11b",
                "enrich",
                "search title dune --url http://127.0.0.1:1", "restore /nonexistent", "backup /dev/null/x",
            ]
            for line in lines {
                let run = try suite.terminal(
                    line.split(separator: " ").map(String.init), columns: columns, environment: ["PAGER": "cat"])
                _ = try await run.exitStatus()
                #expect(!run.written.isEmpty, "\(line)")
                for shown in Self.plain(run.written).split(separator: "\n").flatMap({ $0.split(separator: "\r") }) {
                    #expect(shown.count <= columns, "\(line): \(shown)")
                }
            }
        }
    }

    @Test("a dumb terminal receives no control sequences, and NO_COLOR disables colors")
    func plainTerminals() async throws {
        try await SuiteFixture.Suite.run { suite in
            for line in ["enrich 9780441172719", "jobs", "status", "doctor", "help enrich", "config"] {
                let arguments = line.split(separator: " ").map(String.init)
                let dumb = try suite.terminal(arguments, environment: ["TERM": "dumb"])
                _ = try await dumb.exitStatus()
                #expect(!dumb.written.isEmpty, "\(line)")
                #expect(!dumb.written.contains("\u{1B}"), "\(line)")
                let plain = try suite.terminal(arguments, environment: ["NO_COLOR": "1", "PAGER": "cat"])
                _ = try await plain.exitStatus()
                #expect(!plain.written.contains(/\u{1B}\[[0-9;]*m/), "\(line)")
            }
            let watch = try suite.terminal(["jobs", "--watch"], environment: ["TERM": "dumb"])
            try await watch.waits(for: "bookstrack jobs")
            watch.type("\u{03}")
            #expect(try await watch.exitStatus() == 0)
            #expect(!watch.written.contains("\u{1B}"))
        }
    }
}
