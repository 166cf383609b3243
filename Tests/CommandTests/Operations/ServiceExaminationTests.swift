import BookstrackContract
import Foundation
import JSONRPC
import ServiceKit
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Service checks")
struct ServiceExaminationTests {
    private func findings(_ report: ServiceReport) -> [Finding] {
        ServiceExamination(report: report, now: Date(timeIntervalSince1970: Double(SampleReports.now) / 1_000))
            .findings()
    }

    private func finding(_ reason: ServiceFailure.Reason) throws -> Finding {
        try #require(findings(SampleReports.down(.progressHost, reason)).first)
    }

    @Test("a missing socket, an abandoned socket and a closed connection are distinguished")
    func absences() throws {
        #expect(try finding(.absent).statement.contains("there is no socket"))
        #expect(try finding(.abandoned).statement.contains("which an earlier run left behind"))
        #expect(try finding(.closed("connection lost")).advice?.contains("BOOKSTRACK_ALLOWED_UIDS") == true)
    }

    @Test("for a stopped process, the advice is to resume it, not to change the allowed users")
    func stopped() throws {
        let finding = try finding(.silent(ProcessState(pid: 42, letter: "T")))
        #expect(finding.statement == "progress-host does not answer at /run/x: process 42 is stopped")
        #expect(finding.advice?.contains("kill -CONT 42") == true)
        #expect(finding.advice?.contains("BOOKSTRACK_ALLOWED_UIDS") == false)
    }

    @Test("a silent service's process state decides whether the advice names the disk, the watchdog or an overload")
    func hanging() throws {
        #expect(try finding(.silent(ProcessState(pid: 42, letter: "D"))).advice?.contains("disk") == true)
        #expect(try finding(.silent(ProcessState(pid: 42, letter: "S"))).advice?.contains("watchdog") == true)
        #expect(try finding(.silent(nil)).advice?.contains("overloaded") == true)
    }

    @Test("a lost connection is reported as closed, and a missed deadline or a stopped process as unresponsive")
    func reasons() {
        let running = ProcessState(pid: 42, letter: "S")
        func reason(_ error: RPCError, _ process: ProcessState?) -> ServiceFailure.Reason {
            ServiceFailure(.progressHost, at: "/run/x", error, process: process).reason
        }
        #expect(reason(.deadlineExceeded, running) == .silent(running))
        #expect(reason(.connectionLost, running) == .closed("connection lost"))
        let stopped = ProcessState(pid: 42, letter: "T")
        #expect(reason(.connectionLost, stopped) == .silent(stopped))
    }

    @Test("a failed unit is reported with its exit status, its last log lines and advice")
    func failedUnit() throws {
        var report = SampleReports.down(.progressHost)
        report.unit = UnitReport(
            unit: "bookstrack-progress-host.service", state: "failed", ending: "exit status 78 (bad setting)",
            exitStatus: 78, log: ["progress-host: BOOKSTRACK_KEEPALIVE_MS must be a whole number"])
        let finding = try #require(findings(report).first)
        #expect(finding.statement.hasSuffix("has failed: exit status 78 (bad setting)"))
        #expect(finding.log == ["progress-host: BOOKSTRACK_KEEPALIVE_MS must be a whole number"])
        #expect(finding.advice?.contains("correct the setting") == true)
        report.unit?.exitStatus = 1
        #expect(findings(report).first?.advice?.contains("reset-failed") == true)
        report.unit?.state = "inactive"
        #expect(findings(report).first?.advice == "systemctl start bookstrack.target")
    }

    @Test("a ready service, an unready service and a service of a different version are distinguished")
    func answers() {
        #expect(
            findings(SampleReports.report(SampleReports.host)) == [
                .ok("progress-host", "ready, process 42, up 2 h 5 min")
            ])
        let stuck = SampleReports.status(.progressHost, .unavailable, because: "the disk is full")
        #expect(findings(SampleReports.report(stuck)).map(\.verdict) == [.problem])
        let other = SampleReports.status(.apiProxy, version: "9.9.9")
        #expect(findings(SampleReports.report(other)).map(\.verdict) == [.ok, .warning])
    }

    @Test("if the database refuses writes, the advice is to free or repair the disk")
    func refusedWrites() {
        var stuck = SampleReports.host
        stuck.readiness = ReadinessReport(
            status: .unavailable,
            dependencies: [.init(name: "storage", status: .unavailable, reason: "the disk is full")])
        stuck.host?.storage.refusal = "the disk is full"
        let finding = ServiceFindings.all(stuck, of: "progress-host", readBy: "api-proxy").first
        #expect(finding?.statement == "cannot serve: storage: the disk is full")
        #expect(finding?.advice?.hasPrefix("free up disk space or repair the disk") == true)
    }
}
