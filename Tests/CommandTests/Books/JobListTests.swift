import BookstrackContract
import Foundation
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Job lists")
struct JobListTests {
    private let list: JobList

    init() throws {
        var counts = JobCounts(total: 289, succeeded: 217, failed: 72)
        counts.failures[.notFound] = 60
        counts.failures[.quotaExhausted] = 12
        list = JobList(
            jobs: [
                ListedJob(
                    jobId: try #require(JobID("f2fe9772-e404-440f-8ad9-19432d456abc")), pipeline: .batchEnrichment,
                    status: .completed, counts: counts, createdAt: 0, startedAt: 5, endedAt: 60_000, expiresAt: nil)
            ], hasMore: true)
    }

    @Test("at 80 columns, the list shows complete identifiers, the reasons, and whether there are more jobs")
    func narrow() {
        let lines = OutputStyle(width: 80, colors: false).lines(list, now: 245_000)
        #expect(
            lines.prefix(4) == [
                "Job                                   Status       Found  Age    No result",
                "------------------------------------  ---------  -------  -----  ---------------",
                "f2fe9772-e404-440f-8ad9-19432d456abc  completed  217/289  4 min  12 limited, 60",
                "                                                                 not found",
            ])
        #expect(lines.contains { $0.contains("f2fe9772-e404-440f-8ad9-19432d456abc") })
        #expect(lines.contains { $0.contains("completed") })
        #expect(lines.last == "There are older jobs; show more with --limit.")
        for line in lines { #expect(DisplayWidth.of(line) <= 80) }
        #expect(
            OutputStyle(width: 140, colors: false).lines(list, now: 120_000).contains {
                $0.contains("12 limited, 60 not found")
            })
    }

    @Test("the row for the largest job stays within 80 columns and shows its counts in full")
    func largest() throws {
        var job = list.jobs[0]
        job.counts.total = 10_000
        job.counts.succeeded = 9_876
        job.status = .cancelling
        let lines = OutputStyle(width: 80, colors: false).lines(JobList(jobs: [job], hasMore: false), now: 3_540_000)
        #expect(lines[2].hasPrefix("f2fe9772-e404-440f-8ad9-19432d456abc  cancelling  9876/10000  59 min  "))
        for line in lines { #expect(DisplayWidth.of(line) <= 80) }
    }

    @Test("import rows that could not be used are shown as invalid, not as books that were not found")
    func imports() throws {
        let job = ListedJob(
            jobId: JobID.random(), pipeline: .csvImport, status: .completed,
            counts: JobCounts(total: 100, succeeded: 98, failed: 2), createdAt: 0, startedAt: 5, endedAt: 60,
            expiresAt: nil)
        let list = JobList(jobs: [job], hasMore: false)
        let lines = OutputStyle(width: 120, colors: false).lines(list, now: 100_000)
        #expect(lines[2].contains("98/100"))
        #expect(lines[2].contains("2 invalid"))
        #expect(try OutputOptions.json(list).contains("\"reasons\" : {\n        \"invalid\" : 2\n"))
    }

    @Test("JSON uses the API's names, and both JSON and CSV contain the job's times and counts")
    func data() throws {
        let text = try OutputOptions.json(list)
        #expect(text.contains(#""createdAt" : "1970-01-01T00:00:00.000Z""#))
        #expect(text.contains(#""notFound" : 60"#))
        #expect(text.contains(#""hasMore" : true"#))
        #expect(try !OutputOptions.jsonLine(list).contains("\n"))
        #expect(
            list.csv.csv.hasSuffix(
                "f2fe9772-e404-440f-8ad9-19432d456abc,batch_enrichment,completed,289,217,72,1970-01-01T00:00:00.000Z,"
                    + "1970-01-01T00:01:00.000Z,\r\n"))
    }

    @Test("an empty list is reported in a sentence")
    func empty() {
        #expect(
            OutputStyle(width: 80, colors: false).lines(JobList(jobs: [], hasMore: false), now: 0) == ["No jobs."])
    }
}
