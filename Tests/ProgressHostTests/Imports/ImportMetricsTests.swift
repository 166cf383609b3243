import BookstrackContract
import Observability
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Import metrics and tail events")
struct ImportMetricsTests {
    private func open(_ host: TestHost) -> [Double?] {
        ["reserved", "waiting", "reading"].map { host.number("bookstrack_imports_open", $0) }
    }

    @Test("an open import is counted once, by the state of its file, even after a restart")
    func states() throws {
        let host = try TestHost()
        #expect(open(host) == [0, 0, 0])
        try host.beginImport(JobID("reserved-import")!)
        #expect(open(host) == [1, 0, 0])
        try host.startImport()
        #expect(open(host) == [1, 1, 0])
        #expect(try TestWorker(host).claimFile() != nil)
        #expect(open(host) == [1, 0, 1])
        try host.restart()
        #expect(open(host) == [1, 1, 0])
        try TestWorker(host).readFile([])
        #expect(open(host) == [1, 0, 0])
        #expect(host.spread("bookstrack_job_duration_seconds").count == 1)
    }

    @Test("files are counted when they are deleted, whether with their imports or as leftovers")
    func deleted() throws {
        let host = try TestHost()
        try host.startImport()
        try TestWorker(host).readFile(["Dune"])
        let second = try host.startImport(JobID("second-import")!)
        _ = try host.cancel(JobID("second-import")!, token: second.token)
        let third = try host.beginImport(JobID("without-file")!)
        _ = try host.cancel(JobID("without-file")!, token: third.token)
        #expect(host.number("bookstrack_uploads_deleted_total", "ended") == 2)
        try host.putFile(of: JobID("nobodys-file")!)
        host.advance(by: .seconds(31))
        #expect(host.number("bookstrack_uploads_deleted_total", "orphaned") == 1)
    }

    @Test("attempts that lose their worker, and imports whose file never arrives, are counted")
    func lost() throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        _ = try #require(try worker.claimFile())
        try worker.disconnect()
        host.advance(by: .zero)
        #expect(host.number("bookstrack_reading_steps_lost_total") == 1)
        try host.beginImport(JobID("without-file")!)
        host.advance(by: .seconds(61))
        #expect(host.number("bookstrack_reservations_dropped_total") == 1)
    }

    @Test("the tail shows when the linked job receives its items")
    func submitted() throws {
        let host = try TestHost()
        let link = try #require(try host.startImport(enrich: true).enrichment)
        try TestWorker(host).readFile(["Dune", "Emma"], queries: [BookQuery(title: "Dune"), BookQuery(title: "Emma")])
        let steps = host.tail.entries(after: 0, atMost: .max).entries.filter { $0.jobID == link.jobId.text }
            .map { TailEvent($0) }
        #expect(steps.map(\.event?.job?.step) == [.accepted, .submitted])
        #expect(steps.last?.event?.job?.result == "2 items")
    }
}
