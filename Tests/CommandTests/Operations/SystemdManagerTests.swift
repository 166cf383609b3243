import NIOConcurrencyHelpers
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Units of unresponsive services")
struct SystemdManagerTests {
    private func report(
        of service: ServiceInstance = .progressHost, show: String?, log: String? = ""
    ) async -> UnitReport? {
        await SystemdManager { program, _ in program == "systemctl" ? show : log }.report(of: service)
    }

    private static func show(_ state: String, _ result: String, code: Int, status: Int) -> String {
        "LoadState=loaded\nActiveState=\(state)\nResult=\(result)\nExecMainCode=\(code)\nExecMainStatus=\(status)\n"
    }

    @Test("an invalid setting is recognized by the exit status, and shown with the last lines of the journal")
    func badSetting() async throws {
        let report = try #require(
            await report(
                show: Self.show("failed", "exit-code", code: 1, status: 78),
                log: "starting\nBOOKSTRACK_KEEPALIVE_MS must be a whole number\u{1B}[2J\n"))
        #expect(report.unit == "bookstrack-progress-host.service")
        #expect(report.sentence == "has failed: exit status 78 (bad setting)")
        #expect(report.hasBadSetting)
        #expect(report.log.count == 2)
        #expect(report.log.last?.contains("\u{1B}") == false)
    }

    @Test(
        "each kind of failure has a description",
        arguments: [
            (
                show("failed", "watchdog", code: 3, status: 6),
                "has failed: it did not respond, and the watchdog killed it"
            ),
            (
                show("failed", "oom-kill", code: 2, status: 9),
                "has failed: killed because the machine ran out of memory"
            ),
            (show("activating", "signal", code: 2, status: 11), "is being started: killed by signal 11"),
            (
                show("failed", "start-limit-hit", code: 1, status: 1),
                "has failed: it failed too often; exit status 1 (failed)"
            ),
            (show("inactive", "success", code: 1, status: 0), "is stopped"),
            (show("active", "success", code: 0, status: 0), "is running"),
        ])
    func endings(show: String, sentence: String) async {
        #expect(await report(show: show)?.sentence == sentence)
    }

    @Test("nothing is reported if there is no unit, or if systemd does not respond")
    func absent() async {
        #expect(await report(show: "LoadState=not-found\nActiveState=inactive\n") == nil)
        #expect(await report(show: nil) == nil)
        #expect(await report(show: Self.show("inactive", "success", code: 0, status: 0), log: nil)?.log == [])
    }

    @Test("an additional worker is an instance of the template unit")
    func instance() async throws {
        let second = ServiceInstance.worker(try #require(WorkerName("second")))
        #expect(SystemdManager.unit(of: second) == "bookstrack-enrichment-worker@second.service")
        #expect(SystemdManager.unit(of: .enrichmentWorker) == "bookstrack-enrichment-worker.service")
    }
}
