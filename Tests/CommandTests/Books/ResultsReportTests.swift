import BookstrackContract
import NIOConcurrencyHelpers
import Testing

@testable import BookstrackCLI

@Suite("Result reports")
struct ResultsReportTests {
    private func job(_ text: String = "job-12345") throws -> JobID { try #require(JobID(text)) }

    private func missing(_ code: ItemErrorCode?, isbn: String = "1") -> EnrichedBook {
        var book = EnrichedBook(asked: BookQuery(isbn: isbn), success: false)
        book.error = "No"
        book.errorCode = code
        return book
    }

    private func results(_ books: [EnrichedBook], of job: JobID) -> EnrichmentResults {
        EnrichmentResults(
            jobId: job, resultsRevision: 2, expiresAt: "2026-01-02T00:00:00.000Z", successCount: 0,
            failureCount: books.count, enrichedBooks: books)
    }

    private func written(
        _ format: OutputFormat, _ add: (inout ResultsReport) throws -> Void,
        finish: (inout ResultsReport.Summary) -> Void = { _ in }
    ) throws -> String {
        let text = NIOLockedValueBox("")
        var report = ResultsReport(format, OutputStyle(width: 80, colors: false)) { part in
            text.withLockedValue { $0 += part }
        }
        try add(&report)
        try report.finish(finish)
        return text.withLockedValue { $0 }
    }

    @Test("a report with no jobs is a JSON document with no rows, a CSV header, or an empty table")
    func empty() throws {
        let json = try written(.json) { _ in }
        #expect(json.hasPrefix("{\n  \"enrichedBooks\": [\n  ],\n  \"jobs\": [\n"))
        #expect(json.contains("\"total\":0"))
        #expect(try written(.csv) { _ in }.hasPrefix("asked_title,asked_author,asked_isbn,success,"))
        #expect(try written(.table) { _ in }.isEmpty)
    }

    @Test("the rows of several jobs form one list, with each reason as a word")
    func json() throws {
        let text = try written(.json) { report in
            try report.add(JobReport(job: job()), results([missing(.notFound), missing(.quotaExhausted)], of: job()))
            try report.add(JobReport(job: job("job-67890")), results([missing(nil)], of: job("job-67890")))
        }
        #expect(
            text.hasPrefix(
                """
                {
                  "enrichedBooks": [
                    {"error":"No","errorCode":"NOT_FOUND","isbn":"1","reason":"notFound","success":false},
                    {"error":"No","errorCode":"QUOTA_EXHAUSTED","isbn":"1","reason":"limited","success":false},
                    {"error":"No","isbn":"1","reason":"notFound","success":false}
                  ],
                  "jobs": [
                    {"expiresAt":"2026-01-02T00:00:00.000Z","jobId":"job-12345","resultsRevision":2},
                    {"expiresAt":"2026-01-02T00:00:00.000Z","jobId":"job-67890","resultsRevision":2}
                  ],
                  "summary": {
                """))
    }

    @Test("a job with no results is listed with the reason")
    func failedJob() throws {
        let text = try written(.json) { report in
            var failed = JobReport(job: try job())
            failed.status = .failed
            failed.failure = CommandFailure(.tryLater, "it is busy")
            try report.add(failed, nil)
        }
        #expect(text.contains(#"{"error":"it is busy","jobId":"job-12345","status":"failed"}"#))
        #expect(text.contains("\"enrichedBooks\": [\n  ],"))
    }

    @Test(
        "each error code is counted under the name of its reason",
        arguments: [
            (ItemErrorCode.notFound, "notFound"), (.invalidISBN, "invalid"), (.quotaExhausted, "limited"),
            (.providerError, "down"),
            (.providerTimeout, "down"), (.deadlineExceeded, "busy"), (.cancelled, "cancelled"),
        ])
    func counted(code: ItemErrorCode, name: String) throws {
        let text = try written(.json) { report in
            try report.add(JobReport(job: job()), results([missing(code), missing(code)], of: job()))
        }
        #expect(text.contains("\"\(name)\":2"))
        #expect(text.contains("\"total\":2"))
        #expect(text.contains("\"reason\":\"\(name)\""))
    }

    @Test("the summary includes unsubmitted books, the command that submits them, and planned retries")
    func notSubmitted() throws {
        let text = try written(.json) { _ in
        } finish: { summary in
            summary.notSubmitted = 7
            summary.resume = "bookstrack enrich --resume L"
            summary.laterRetries = .init(count: 3, nextAt: "2026-01-01T01:00:00.000Z")
        }
        #expect(text.contains("\"notSubmitted\":7"))
        #expect(text.contains("\"resume\":\"bookstrack enrich --resume L\""))
        #expect(text.contains("\"laterRetries\":{\"count\":3,\"nextAt\":\"2026-01-01T01:00:00.000Z\"}"))
    }

    @Test("CSV is written job by job under one header")
    func csv() throws {
        let text = try written(.csv) { report in
            try report.add(JobReport(job: job()), results([missing(.notFound, isbn: "1")], of: job()))
            try report.add(JobReport(job: job()), results([missing(.cancelled, isbn: "2")], of: job()))
        }
        #expect(
            text == """
                asked_title,asked_author,asked_isbn,success,matched_by,title,authors,isbn,publisher,publication_date,pages,language,error_code,error,reason\r
                ,,1,false,,,,,,,,,NOT_FOUND,No,not found\r
                ,,2,false,,,,,,,,,CANCELLED,No,cancelled\r

                """)
    }
}
