import Foundation
import ServiceKit
import SuiteMethods
import Testing
import TestSupport

@testable import BookstrackCLI

@Suite("bookstrack doctor")
struct ExaminationTests {
    private func settings(_ environment: [String: String]) throws -> Settings {
        try Settings.load(arguments: [], environment: environment)
    }

    private func warnings(_ environment: [String: String]) throws -> String {
        SettingsExamination(settings: try settings(environment)).findings().filter { $0.verdict != .ok }
            .map(\.statement).joined(separator: "\n")
    }

    @Test("missing recommended settings are reported until they are set, and no secret is shown")
    func missingSettings() throws {
        let bare = try warnings([:])
        #expect(bare.contains("no contact for providers"))
        #expect(bare.contains("no key for Google Books"))
        let set = ["BOOKSTRACK_OPEN_LIBRARY_CONTACT": "a@example.org", "BOOKSTRACK_GOOGLE_BOOKS_API_KEY": "hush-hush"]
        #expect(try warnings(set) == "")
        let shown = SettingsExamination(settings: try settings(set)).findings().map(\.statement).joined()
        #expect(shown.contains("BOOKSTRACK_GOOGLE_BOOKS_API_KEY is"))
        #expect(!shown.contains("hush-hush"))
    }

    @Test(
        "dangerous, contradictory and unknown settings are reported",
        arguments: [
            (["BOOKSTRACK_RATE_LIMIT": "off"], "rate limiting is off"),
            (["BOOKSTRACK_LEGACY_TOKENLESS": "true"], "can watch and cancel it"),
            (["BOOKSTRACK_ADMIN_PORT": "8787"], "both listeners"),
            (
                ["BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "0"],
                "https://openlibrary.org is called without a rate limit"
            ),
            (["BOOKSTRACK_HTP_PORT": "1"], "unknown variable BOOKSTRACK_HTP_PORT"),
        ])
    func doubtfulSettings(environment: [String: String], statement: String) throws {
        #expect(try warnings(environment).contains(statement))
    }

    @Test("two listeners whose ports the system chooses do not conflict")
    func chosenPorts() throws {
        let found = try warnings(["BOOKSTRACK_HTTP_PORT": "0", "BOOKSTRACK_ADMIN_PORT": "0"])
        #expect(!found.contains("both listeners"))
    }

    @Test("calling an emulator without a rate limit causes no warning")
    func emulator() throws {
        let found = try warnings([
            "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "0",
            "BOOKSTRACK_OPEN_LIBRARY_BASE_URL": "http://127.0.0.1:9",
        ])
        #expect(!found.contains("without a rate limit"))
    }

    @Test("a world-writable directory is a problem, and a missing one is a warning")
    func directories() throws {
        let path = FileManager.default.temporaryDirectory.path + "/doctor-\(UUID().uuidString)"
        func verdict() -> Finding.Verdict? { DirectoryExamination(path: path, subject: "x").findings().first?.verdict }
        #expect(verdict() == .warning)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        chmod(path, 0o750)
        #expect(verdict() == .ok)
        chmod(path, 0o777)
        #expect(verdict() == .problem)
        #expect(DirectoryExamination(path: "/dev/null", subject: "x").findings().map(\.verdict) == [.problem])
    }

    @Test("a directory that the user may not write to is a warning, unless it is mounted read-only")
    func unwritableDirectories() throws {
        let path = FileManager.default.temporaryDirectory.path + "/doctor-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        chmod(path, 0o750)
        func finding(_ denial: Int32) -> Finding? {
            DirectoryExamination(path: path, subject: "x", denial: { _ in denial }).findings().first
        }
        #expect(finding(EACCES)?.verdict == .warning)
        #expect(finding(EROFS)?.verdict == .ok)
        #expect(finding(EROFS)?.statement.hasSuffix("mounted read-only here") == true)
    }

    @Test("a clock that shows a time before 2025, or before the database was last written, is a problem")
    func clock() throws {
        let file = FileManager.default.temporaryDirectory.path + "/clock-\(UUID().uuidString)"
        try Data().write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        func verdict(_ offset: TimeInterval) -> Finding.Verdict? {
            let clock = ManualClock(date: Date().addingTimeInterval(offset))
            return ClockExamination(clock: clock).findings(database: file).first?.verdict
        }
        #expect(verdict(0) == .ok)
        #expect(verdict(-3_600) == .problem)
        let epoch = ClockExamination(clock: ManualClock(date: Date(timeIntervalSince1970: 0))).findings(database: file)
        #expect(epoch.map(\.verdict) == [.problem])
    }

    @Test("the open-file limit is read from the running process and compared with its maximum number of sockets")
    func openFiles() {
        let own = OpenFilesExamination.limit(ofProcess: getpid())
        #expect(own != nil)
        #expect(OpenFilesExamination.limit(ofProcess: -1) == nil)
        #expect(OpenFilesExamination(sockets: 1).findings(nil).map(\.verdict) == [.ok])
        var proxy = SampleReports.status(.apiProxy)
        proxy.pid = getpid()
        proxy.proxy = ProxyFigures(
            sockets: QueueFigure(length: 0, limit: 1_000_000_000),
            cache: CacheFigure(bytes: 0, limit: 0, hits: 0, staleHits: 0, misses: 0))
        #expect(OpenFilesExamination(sockets: 1).findings(proxy).map(\.verdict) == [.warning])
    }

    @Test(
        "a provider that refuses requests because of a setting is reported as a problem, and the advice names the setting"
    )
    func refusal() {
        var google = ProviderFigure(
            name: "google-books", requests: 1, inFlight: 0, waiting: 0, leftToday: 1_000, breaker: .open,
            cause: "refusal", opensForMilliseconds: 60_000)
        google.refusal = .init(statement: "refuses the key", setting: "BOOKSTRACK_GOOGLE_BOOKS_API_KEY")
        let finding = ProviderFindings.breakers([google]).first
        #expect(finding?.verdict == .problem)
        #expect(finding?.statement == "it refuses the key; calls are paused")
        #expect(finding?.advice?.contains("BOOKSTRACK_GOOGLE_BOOKS_API_KEY") == true)
    }

    @Test("a key set in the console causes a warning, because it is lost on a restart")
    func replacedKey() {
        var google = ProviderFigure(
            name: "google-books", requests: 1, inFlight: 0, waiting: 0, leftToday: nil, breaker: .closed)
        #expect(ProviderFindings.keys([google]).isEmpty)
        google.key = .settings
        #expect(ProviderFindings.keys([google]).isEmpty)
        google.key = .operator
        #expect(ProviderFindings.keys([google]).map(\.verdict) == [.warning])
        #expect(ProviderFindings.keys([google]).map(\.subject) == ["google-books"])
    }

    @Test("engines are listed with their models, and it is a warning if none of them can read photos at the moment")
    func engines() {
        var gemini = ProviderFigure(
            name: "gemini", requests: 1, inFlight: 0, waiting: 0, leftToday: 1, breaker: .closed)
        gemini.model = "gemini-3.5-flash-lite"
        var reader = ProviderFigure(
            name: "reader", requests: 1, inFlight: 0, waiting: 0, leftToday: nil, breaker: .closed)
        reader.model = "shelf-reader"
        let both = ProviderFindings.engines([gemini, reader, gemini])
        #expect(both.statement == "photos are read by gemini (gemini-3.5-flash-lite), reader (shelf-reader)")
        gemini.leftToday = 0
        #expect(ProviderFindings.engines([gemini, reader]).statement == "photos are read by reader (shelf-reader)")
        reader.fault = "it cannot be reached"
        #expect(ProviderFindings.engines([gemini, reader]).verdict == .warning)
        #expect(ProviderFindings.engines([]).verdict == .ok)
    }

    @Test("one unreachable provider is a warning, and it is a problem if all are unreachable")
    func providers() {
        let away = ProbeProviders.Probe(
            provider: "wikidata", address: "https://x", milliseconds: 5, status: nil, failure: "Couldn't connect")
        let there = ProbeProviders.Probe(
            provider: "openlibrary", address: "https://y", milliseconds: 80, status: 404, failure: nil)
        #expect(ProviderFindings.finding(away).verdict == .warning)
        var untrusted = away
        untrusted.cause = "tls"
        #expect(ProviderFindings.finding(untrusted).advice?.contains("BOOKSTRACK_CA_FILE") == true)
        #expect(ProviderFindings.finding(there).statement == "https://y responds in 80 ms")
        var failing = there
        failing.status = 503
        #expect(ProviderFindings.finding(failing).verdict == .warning)
        #expect(ProviderFindings.finding(failing).statement == "https://y responds with status 503")
        var reader = away
        reader.provider = "reader"
        #expect(ProviderFindings.finding(reader).advice?.contains("BOOKSTRACK_SHELF_READER_SOCKET") == true)
        #expect(ProviderFindings.sum([away, there]).isEmpty)
        #expect(ProviderFindings.sum([away, away]).map(\.verdict) == [.problem])
    }
}
