import Foundation
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The effective settings of services and commands")
struct SettingsSurveyTests {
    /// A machine with an installation and a temporary socket directory.
    private final class Machine {
        let folder = "/tmp/bt-survey-\(UInt32.random(in: .min ... .max))"
        let installation: Installation
        private var servers: [RPCServer] = []

        init(file: String? = nil, key: String? = nil) throws {
            installation = Installation(
                environmentFile: folder + "/bookstrack.env", credentials: folder + "/credentials")
            try FileManager.default.createDirectory(
                atPath: folder + "/credentials", withIntermediateDirectories: true)
            if let file {
                let directories = "BOOKSTRACK_RUNTIME_DIR=\(folder)\nBOOKSTRACK_DATA_DIR=\(folder)\n"
                try (directories + file).write(toFile: installation.environmentFile, atomically: true, encoding: .utf8)
            }
            try key?.write(toFile: folder + "/credentials/google-books-api-key", atomically: true, encoding: .utf8)
        }

        var command: CommandSettings {
            get throws {
                try CommandSettings.load(
                    environment: ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder],
                    installation: installation)
            }
        }

        func start(_ service: ServiceInstance, _ environment: [String: String]) async throws {
            var router = RPCRouter()
            let directories = ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder]
            let settings = try Settings.load(
                arguments: [], environment: environment.merging(directories) { $1 })
            router.answerSettings(of: service.service, settings.reported)
            servers.append(
                try await RPCServer.bind(
                    path: command.directories.socket(of: service), router: router, allowedUIDs: [getuid()],
                    group: MultiThreadedEventLoopGroup.singleton,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        }

        func survey() async throws -> SettingsSurvey { await SettingsSurvey.take(try command) }

        func end() async {
            for server in servers { await server.shutdown() }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private func row(_ name: String, _ survey: SettingsSurvey) throws -> SettingsSurvey.Row {
        try #require(survey.rows.first { $0.setting.name == name })
    }

    @Test("a running service reports its own settings, and for secrets only whether they are set")
    func running() async throws {
        let machine = try Machine()
        try await machine.start(
            .enrichmentWorker, ["BOOKSTRACK_CONTACT": "a@example.org", "BOOKSTRACK_GOOGLE_BOOKS_API_KEY": "hush-hush"])
        let survey = try await machine.survey()
        let contact = try row("BOOKSTRACK_CONTACT", survey)
        #expect(contact.setting.value == "a@example.org")
        #expect(contact.origin == .running)
        #expect(try row("BOOKSTRACK_GOOGLE_BOOKS_API_KEY", survey).setting.value == "set")
        #expect(try row("BOOKSTRACK_ISBNDB_API_KEY", survey).setting.value == "not set")
        #expect(try row("BOOKSTRACK_HTTP_PORT", survey).origin == .environment)
        #expect(survey.settings[.googleBooksKey] != nil)
        #expect(survey.settings.providerContact == "a@example.org")
        await machine.end()
    }

    @Test("for a service that is not running, the installed file and keys are used instead of this environment")
    func installed() async throws {
        let machine = try Machine(
            file: "# a comment\nBOOKSTRACK_ADMIN_PORT=9999\nBOOKSTRACK_CONTACT='a@example.org'\n", key: "secret\n")
        let survey = try await machine.survey()
        let port = try row("BOOKSTRACK_ADMIN_PORT", survey)
        #expect(port.setting.value == "9999")
        #expect(port.origin == .installed)
        #expect(try row("BOOKSTRACK_CONTACT", survey).setting.value == "a@example.org")
        #expect(try row("BOOKSTRACK_GOOGLE_BOOKS_API_KEY", survey).setting.value == "set")
        #expect(survey.origins.joined().contains(machine.installation.environmentFile))
        let warnings = SettingsExamination(settings: survey.settings).findings().filter { $0.verdict != .ok }
        #expect(warnings == [])
        await machine.end()
    }

    @Test("an installed file with a comment in another encoding than UTF-8 is read")
    func encodings() throws {
        let machine = try Machine()
        let path = machine.installation.environmentFile
        try Data("# caf\u{E9}\nBOOKSTRACK_ADMIN_PORT=9999\n".unicodeScalars.map { UInt8($0.value) })
            .write(to: URL(filePath: path))
        #expect(try machine.installation.environment()["BOOKSTRACK_ADMIN_PORT"] == "9999")
        #expect(machine.installation.names == ["BOOKSTRACK_ADMIN_PORT"])
        try FileManager.default.removeItem(atPath: machine.folder)
    }

    @Test(
        "a service running with an outdated value has to be restarted, but only if it uses the setting")
    func pending() async throws {
        let machine = try Machine(file: "BOOKSTRACK_ADMIN_PORT=9999\nBOOKSTRACK_KEEPALIVE_MS=7000\n", key: "new-key")
        for service in ServiceInstance.standard {
            try await machine.start(service, ["BOOKSTRACK_KEEPALIVE_MS": "7000"])
        }
        let survey = try await machine.survey()
        let pending = survey.parts.filter { !$0.pending.isEmpty }
        #expect(pending.map(\.service) == [.enrichmentWorker, .apiProxy])
        #expect(pending.first?.pending["BOOKSTRACK_GOOGLE_BOOKS_API_KEY"] == "set")
        #expect(pending.last?.pending["BOOKSTRACK_ADMIN_PORT"] == "9999")
        let findings = SurveyExamination(survey: survey).findings().filter { $0.verdict == .warning }
        #expect(findings.map(\.subject) == ["enrichment-worker", "api-proxy"])
        #expect(findings.last?.advice?.contains("systemctl restart bookstrack-api-proxy.service") == true)
        let text = SettingsReport(survey: survey).text(OutputStyle(width: 120, colors: false)).joined(separator: "\n")
        #expect(text.contains("api-proxy: BOOKSTRACK_ADMIN_PORT is 9787"))
        #expect(text.contains("restart to apply"))
        await machine.end()
    }

    @Test("if two workers differ in a setting that only workers use, each value names its worker")
    func differingWorkers() async throws {
        let machine = try Machine()
        let second = ServiceInstance.worker(try #require(WorkerName("second")))
        try await machine.start(.enrichmentWorker, ["BOOKSTRACK_CONTACT": "a@example.org"])
        try await machine.start(second, ["BOOKSTRACK_CONTACT": "b@example.org"])
        let report = SettingsReport(survey: try await machine.survey())
        let lines = report.text(OutputStyle(width: 120, colors: false)).filter { $0.hasPrefix("BOOKSTRACK_CONTACT") }
        #expect(lines.count == 2)
        #expect(lines.first { $0.contains("a@example.org") }?.hasSuffix("(enrichment-worker))") == true)
        #expect(lines.first { $0.contains("b@example.org") }?.hasSuffix("(enrichment-worker-second))") == true)
        await machine.end()
    }

    @Test("a value set by the unit's drop-in is not reported as a change that needs a restart")
    func dropIn() async throws {
        let machine = try Machine(file: "BOOKSTRACK_ADMIN_PORT=9999\n")
        let old = Date(timeIntervalSinceNow: -3_600)
        try FileManager.default.setAttributes(
            [.modificationDate: old], ofItemAtPath: machine.installation.environmentFile)
        try await machine.start(.apiProxy, ["BOOKSTRACK_ADMIN_PORT": "9999", "BOOKSTRACK_LOG_LEVEL": "debug"])
        let survey = try await machine.survey()
        #expect(survey.parts.filter { $0.service == .apiProxy }.map(\.pending) == [[:]])
        #expect(try row("BOOKSTRACK_LOG_LEVEL", survey).setting.value == "info")
        let levels = survey.rows.filter { $0.setting.name == "BOOKSTRACK_LOG_LEVEL" }
        #expect(levels.map(\.services) == [["progress-host", "enrichment-worker"], ["api-proxy"]])
        await machine.end()
    }

    @Test(
        "a further worker keeps its name after a change to the file, unless the file sets a name",
        arguments: [true, false])
    func furtherWorker(isNamed: Bool) async throws {
        let machine = try Machine(file: isNamed ? "BOOKSTRACK_WORKER_NAME=other\n" : "")
        let later = Date(timeIntervalSinceNow: 3_600)
        try FileManager.default.setAttributes(
            [.modificationDate: later], ofItemAtPath: machine.installation.environmentFile)
        let second = ServiceInstance.worker(try #require(WorkerName("second")))
        try await machine.start(second, ["BOOKSTRACK_WORKER_NAME": "second"])
        let survey = try await machine.survey()
        let part = try #require(survey.parts.first { $0.service == second })
        #expect(part.origin == .running)
        #expect(part.pending["BOOKSTRACK_WORKER_NAME"] == (isNamed ? "other" : nil))
        await machine.end()
    }

    @Test("an invalid value in the installed file is reported as a problem, and the advice names the file")
    func wrongFile() async throws {
        let machine = try Machine(file: "BOOKSTRACK_ADMIN_PORT=many\n")
        let findings = SurveyExamination(survey: try await machine.survey()).findings()
        let problem = try #require(findings.first { $0.verdict == .problem })
        #expect(problem.statement.contains("BOOKSTRACK_ADMIN_PORT"))
        #expect(problem.advice?.contains(machine.installation.environmentFile) == true)
        await machine.end()
    }

    @Test(
        "setting names are never cut, and only they can make a line wider than the terminal", arguments: [40, 80, 140])
    func width(columns: Int) throws {
        let report = SettingsReport(previewing: try Settings.load(arguments: [], environment: [:]))
        let lines = report.text(OutputStyle(width: columns, colors: false))
        for declared in Settings.declared { #expect(lines.contains { $0.contains(declared.name) }) }
        for line in lines where DisplayWidth.of(line) > columns { #expect(line.hasPrefix("BOOKSTRACK_"), "\(line)") }
        if columns >= 80 { #expect(lines.contains { $0.hasPrefix("BOOKSTRACK_HTTP_PORT  ") && $0.contains("8787") }) }
    }

    @Test(
        "a command started in a directory without .bookstrack/run uses the system's runtime directory, not one below the root"
    )
    func directories() throws {
        let settings = try CommandSettings.load(
            environment: [:], installation: Installation(environmentFile: "/nonexistent", credentials: "/nonexistent"))
        #expect(settings.directories.runtime != "/.bookstrack/run")
        if !FileManager.default.fileExists(atPath: ".bookstrack/run") {
            #expect(settings.directories.runtime == "/run/bookstrack")
        }
    }

    @Test(
        "an environment file is parsed as systemd parses it",
        arguments: [
            ("A=1\nA=2", ["A": "2"]), ("# A=1\n; B=2\n\nC = 3 ", ["C": "3"]), ("A='a b # c'", ["A": "a b # c"]),
            (#"A="a \"b\"""#, ["A": #"a "b""#]), ("A=one \\\ntwo", ["A": "one two"]), ("nonsense", [:]),
            ("A=", ["A": ""]), ("# A=0\r\nA=1\r\nB=2 \r\n", ["A": "1", "B": "2"]), ("A=1\rB=2", ["A": "1", "B": "2"]),
            ("A=one \\\r\nB=2", ["A": "one", "B": "2"]), (#"A="a\b\$c""#, ["A": #"a\b$c"#]), (#"A=a\b"#, ["A": "ab"]),
        ])
    func environmentFile(text: String, variables: [String: String]) {
        #expect(EnvironmentFile.variables(in: text) == variables)
    }
}
