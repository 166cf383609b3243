import Foundation
import ServiceKit
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The output of config")
struct SettingsReportTests {
    private func report(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> SettingsReport {
        SettingsReport(previewing: try Settings.load(arguments: arguments, environment: environment))
    }

    private func lines(_ width: Int, _ arguments: [String] = [], _ environment: [String: String] = [:]) throws
        -> [String]
    {
        try report(arguments, environment).text(OutputStyle(width: width, colors: false))
    }

    @Test("a preview is marked as a preview")
    func preview() throws {
        #expect(
            try lines(120).first == "preview: a service started from this environment with these options")
    }

    @Test("every declared setting is shown once", arguments: [80, 160])
    func complete(width: Int) throws {
        let lines = try lines(width)
        for setting in Settings.declared {
            #expect(
                lines.count { $0 == setting.name || $0.hasPrefix(setting.name + " ") } == 1, "\(setting.name)")
        }
    }

    @Test("a value that was set shows its source, and a default does not", arguments: [80])
    func sources(width: Int) throws {
        let lines = try lines(width, ["--http-port", "9000"], ["BOOKSTRACK_HTTP_HOST": "192.0.2.7"])
        #expect(lines.contains { $0.hasPrefix("BOOKSTRACK_HTTP_PORT  9000 (") })
        #expect(lines.contains { $0.hasPrefix("BOOKSTRACK_HTTP_HOST  192.0.2.7 (") })
        #expect(lines.contains("BOOKSTRACK_ADMIN_PORT  9787"))
    }

    @Test("an empty value is shown as a dash")
    func empty() throws {
        #expect(try lines(80).contains { $0.hasPrefix("BOOKSTRACK_PUBLIC_URL  -") })
    }

    @Test("a secret's value is never shown, only that it is set")
    func secrets() throws {
        let report = try report([], ["BOOKSTRACK_GOOGLE_BOOKS_API_KEY": "hush-hush"])
        let text = report.text(OutputStyle(width: 160, colors: false)).joined(separator: "\n")
        #expect(!text.contains("hush"))
        #expect(text.contains("BOOKSTRACK_GOOGLE_BOOKS_API_KEY"))
        let row = report.rows.first { $0.setting.name == "BOOKSTRACK_GOOGLE_BOOKS_API_KEY" }
        #expect(row?.setting.isDefault == false)
    }

    @Test("no line of several words is wider than the terminal", arguments: [40, 60, 80, 131, 132, 200])
    func bounded(width: Int) throws {
        for line in try lines(width) {
            #expect(DisplayWidth.of(line) <= width || !line.contains(" "), "\(line)")
        }
    }

    @Test("a wide terminal shows a table with the meaning beside each value")
    func table() throws {
        let lines = try lines(160)
        #expect(lines.contains { $0.hasPrefix("Setting") && $0.contains("Meaning") })
        #expect(try lines.count < self.lines(80).count)
    }
}

@Suite("Descriptions of systemd units")
struct UnitSentenceTests {
    private func unit(_ state: String, _ ending: String? = nil, status: Int? = nil) -> UnitReport {
        UnitReport(unit: "bookstrack-api-proxy.service", state: state, ending: ending, exitStatus: status, log: [])
    }

    @Test(
        "each state has a sentence, and an unknown state is shown unchanged",
        arguments: [
            ("failed", "has failed"), ("inactive", "is stopped"), ("activating", "is being started"),
            ("deactivating", "is being stopped"), ("active", "is running"), ("reloading", "is reloading"),
        ])
    func states(state: String, sentence: String) {
        #expect(unit(state).sentence == sentence)
        #expect(unit(state, "killed by signal 9").sentence == sentence + ": killed by signal 9")
    }

    @Test(
        "an invalid setting or option is distinguished from other failures",
        arguments: [
            (78, true), (64, true), (1, false), (0, false), (nil, false),
        ] as [(Int?, Bool)])
    func settings(status: Int?, isBadSetting: Bool) {
        #expect(unit("failed", status: status).hasBadSetting == isBadSetting)
    }

    @Test(
        "the description of how a process ended is derived from systemd's properties",
        arguments: [
            ("success", "1", "0", nil), ("exit-code", "1", "78", "exit status 78 (bad setting)"),
            ("exit-code", "1", "3", "exit status 3"), ("signal", "2", "9", "killed by signal 9"),
            ("core-dump", "3", "11", "killed by signal 11"),
            ("watchdog", "2", "6", "it did not respond, and the watchdog killed it"),
            ("oom-kill", "2", "9", "killed because the machine ran out of memory"),
            ("timeout", "2", "15", "it did not start or stop in time"),
            ("start-limit-hit", "1", "78", "it failed too often; exit status 78 (bad setting)"),
            ("start-limit-hit", "0", "0", "it failed too often; systemd gave up"), ("success", "0", "0", nil),
        ] as [(String, String, String, String?)])
    func endings(result: String, code: String, status: String, ending: String?) async {
        let manager = SystemdManager { program, _ in
            program == "systemctl"
                ? "LoadState=loaded\nActiveState=failed\nResult=\(result)\nExecMainCode=\(code)\nExecMainStatus=\(status)\n"
                : "first\nsecond\u{1B}[2J\n"
        }
        let report = await manager.report(of: .apiProxy)
        #expect(report?.ending == ending)
        #expect(report?.exitStatus == (code == "1" ? Int(status) : nil))
        #expect(report?.log == ["first", #"second\u{1B}[2J"#])
    }

    @Test(
        "a unit that is not loaded, or whose state is missing, is not reported",
        arguments: ["LoadState=not-found\nActiveState=inactive\n", "LoadState=loaded\n", ""])
    func noUnit(properties: String) async {
        #expect(await SystemdManager { _, _ in properties }.report(of: .apiProxy) == nil)
    }
}
