import BookstrackContract
import Foundation
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("An import until its file is read")
struct ImportStartTests {
    private static let uuid = JobID("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")!

    @Test("a reserved job is stored on disk and waits for its file")
    func reserved() throws {
        let host = try TestHost()
        let begun = try host.beginImport()
        #expect(begun.status == .pending)
        #expect(begun.needsFile)
        #expect(begun.enrichment == nil)
        let worker = try TestWorker(host)
        #expect(try worker.claimFile() == nil)
        try host.restart()
        let state = try host.state(token: begun.token)
        #expect(state.pipeline == .csvImport)
        #expect(state.status == .pending)
        #expect(state.totalCount == 100)
        #expect(state.links.results == "/v1/csv/results/job-under-test")
    }

    @Test("a waiting worker receives a file once its arrival has been reported")
    func uploaded() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let answer = worker.askForFile()
        try host.beginImport()
        try host.putFile()
        #expect(answer.count == 0)
        try host.noteUpload()
        let step = try #require(try answer.value().step)
        #expect(step.key == ReadingStepKey(jobId: TestHost.jobID, attempt: 1))
        #expect(step.path == host.uploads.path(of: TestHost.jobID, UploadFolder.libraryFile))
        #expect(step.fileName == "library.csv")
        #expect(step.options == "{\"a\":1}")
    }

    @Test("an upload is accepted only if its file and its job exist")
    func missingFile() throws {
        let host = try TestHost()
        try host.beginImport()
        #expect(throws: HostFailure.self) { try host.noteUpload() }
        #expect(throws: HostFailure.noJob(JobID("unknown-job")!)) { try host.noteUpload(of: JobID("unknown-job")!) }
    }

    @Test(
        "repeating a start with the same file returns the same job and a new token, and a different file or client is refused"
    )
    func repeated() throws {
        let host = try TestHost()
        let begun = try host.beginImport(enrich: true)
        let again = try host.beginImport(enrich: true)
        #expect(again.needsFile)
        #expect(again.token != begun.token)
        #expect(again.enrichment?.jobId == begun.enrichment?.jobId)
        try host.putFile()
        try host.noteUpload()
        #expect(try !host.beginImport(enrich: true).needsFile)
        #expect(throws: HostFailure.jobExists(TestHost.jobID, .pending, .file)) {
            try host.beginImport(sha256: "another")
        }
        #expect(throws: HostFailure.jobExists(TestHost.jobID, .pending, .file)) {
            try host.beginImport(origin: JobOrigin(client: "stranger"))
        }
        let worker = try TestWorker(host)
        try worker.readFile(["Dune"])
        let late = try host.beginImport(enrich: true)
        #expect(late.status == .completed)
        #expect(!late.needsFile)
        #expect(try host.state(token: late.token).status == .completed)
    }

    @Test("a reservation whose file does not arrive within a minute is removed without a trace")
    func abandoned() throws {
        let host = try TestHost()
        let begun = try host.beginImport(enrich: true)
        host.advance(by: .seconds(59))
        #expect(host.openJobs == 2)
        host.advance(by: .seconds(2))
        #expect(host.openJobs == 0)
        #expect(throws: HostFailure.unauthorized) { try host.state(token: begun.token) }
        #expect(try host.beginImport(sha256: "another").needsFile)
    }

    @Test("a reservation also ends after a minute if the clock is ahead or is set back", arguments: [true, false])
    func abandonedWhileClockIsWrong(isSetBack: Bool) throws {
        let host = try TestHost()
        host.clock.stepWall(by: .seconds(8 * 3_600))
        try host.beginImport(enrich: true)
        if isSetBack { host.clock.stepWall(by: .seconds(-8 * 3_600)) }
        host.advance(by: .seconds(59))
        #expect(host.openJobs == 2)
        host.advance(by: .seconds(2))
        #expect(host.openJobs == 0)
    }

    @Test("a file that api-proxy stored but never reported is read after a restart of the host")
    func orphaned() throws {
        let host = try TestHost()
        try host.beginImport()
        try host.putFile()
        try host.restart()
        host.advance(by: .seconds(5))
        #expect(try TestWorker(host).claimFile() != nil)
    }

    @Test("an import's status can be read without a token if the job's identifier cannot be guessed")
    func progress() throws {
        let host = try TestHost()
        let begun = try host.startImport(Self.uuid)
        #expect(try host.progress(Self.uuid).status == .pending)
        #expect(try host.progress(Self.uuid, token: begun.token).totalCount == 100)
        #expect(throws: HostFailure.unauthorized) { try host.progress(Self.uuid, token: "wrong") }
        try host.startImport()
        #expect(throws: HostFailure.unauthorized) { try host.progress() }
        let unknown = JobID("7f9619ff-8b86-4d01-b42d-00cf4fc964ff")!
        #expect(throws: HostFailure.noJob(unknown)) { try host.progress(unknown) }
    }

    @Test("an upload without an open import is removed unless it is still arriving")
    func sweeping() throws {
        let host = try TestHost()
        try host.startImport()
        try host.putFile(of: JobID("stray-upload")!)
        let incoming = host.directory.appending(path: "uploads/.incoming/a")
        try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
        host.advance(by: .seconds(40))
        #expect(host.uploads.jobs() == [TestHost.jobID])
        #expect(FileManager.default.fileExists(atPath: incoming.path))
    }
}
