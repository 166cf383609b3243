import BookstrackContract
import Testing

@testable import BookstrackCLI

@Suite("Notes about searches")
struct AnswerNoteTests {
    private func metadata(_ change: (inout ResponseMetadata) -> Void = { _ in }) -> ResponseMetadata {
        var metadata = ResponseMetadata(timestamp: "2026-01-01T00:00:00.000Z", processingTime: 1)
        change(&metadata)
        return metadata
    }

    @Test(
        "the source is the provider, or the cache with the result's age",
        arguments: [
            ("openlibrary", false, nil, "from Open Library"), ("google-books", false, nil, "from Google Books"),
            ("none", false, nil, "from the providers"), (nil, nil, nil, "from the providers"),
            ("openlibrary", true, 300, "from the cache, 5 min old"), ("openlibrary", true, nil, "from the cache"),
        ] as [(String?, Bool?, Int?, String)])
    func sources(provider: String?, cached: Bool?, age: Int?, text: String) {
        let metadata = metadata { ($0.provider, $0.cached) = (provider, cached) }
        #expect(AnswerNote.source(metadata, ageSeconds: age) == text)
    }

    @Test("an expired result is marked as expired beside its source, and causes a warning")
    func expired() {
        let metadata = metadata { ($0.cached, $0.stale) = (true, true) }
        #expect(AnswerNote.source(metadata, ageSeconds: 7_200) == "from the cache, 2 h old, expired")
        #expect(
            AnswerNote.warnings(metadata, ageSeconds: 7_200) == [
                "This result has expired (2 h old): a newer one is being fetched, or the provider is failing."
            ])
        #expect(AnswerNote.warnings(metadata, ageSeconds: nil).first?.hasPrefix("This result has expired: ") == true)
    }

    @Test(
        "a provider that failed is listed with advice, and one that responded is not listed",
        arguments: [
            (ProviderReport.Outcome.ok, nil), (.notFound, nil),
            (
                .timeout,
                "Open Library did not respond in time, so results may be incomplete; try again in a moment."
            ),
            (
                .quotaExhausted,
                "The quota for Open Library is used up, so results may be incomplete; try again later."
            ),
            (
                .error,
                "Open Library failed, so results may be incomplete; try again, or check: bookstrack health enrichment-worker"
            ),
        ] as [(ProviderReport.Outcome, String?)])
    func providers(outcome: ProviderReport.Outcome, warning: String?) {
        let metadata = metadata {
            $0.providers = [ProviderReport(provider: .openLibrary, outcome: outcome, durationMs: 9)]
        }
        #expect(AnswerNote.warnings(metadata, ageSeconds: nil) == (warning.map { [$0] } ?? []))
    }

    @Test(
        "an age is shown in a single unit that suits its length",
        arguments: [
            (0, "0 s"), (99, "99 s"), (100, "1 min"), (5_999, "99 min"), (6_000, "1 h"), (172_799, "47 h"),
            (172_800, "2 days"),
        ])
    func ages(seconds: Int, text: String) {
        #expect(AnswerNote.age(seconds) == text)
    }

    @Test(
        "each search request has a phrase that fits into a sentence",
        arguments: [
            (SearchRequest.isbn("978"), "the ISBN 978"), (.title("Dune", author: nil), "the title \"Dune\""),
            (.title("Dune", author: "Herbert"), "the title \"Dune\" by Herbert"),
            (.author("Herbert"), "the author Herbert"),
            (.editions(title: "Dune", author: "Herbert"), "the editions of \"Dune\" by Herbert"),
        ])
    func phrases(request: SearchRequest, phrase: String) {
        #expect(request.phrase == phrase)
    }
}

@Suite("Sentences about jobs")
struct JobSentenceTests {
    private func job(_ text: String = "f2fe9772-e404-440f-8ad9-19432d456abc") throws -> JobID {
        try #require(JobID(text))
    }

    @Test(
        "a retry reports how many books are retried, or why none are",
        arguments: [
            (
                JobStatus.completed, 1,
                "1 book is being retried. Read the results later with:\nbookstrack results f2fe9772"
            ),
            (.completed, 3, "3 books are being retried. Read the results later with:\nbookstrack results f2fe9772"),
            (.completed, 0, "Job f2fe9772-e404-440f-8ad9-19432d456abc has no books to retry."),
            (
                .processing, 0,
                "Job f2fe9772-e404-440f-8ad9-19432d456abc is processing; only an ended job can be retried."
            ),
        ])
    func retries(status: JobStatus, count: Int, text: String) throws {
        let outcome = RetryOutcome(jobId: try job(), status: status, retrying: count)
        #expect(RetryCommand.text(outcome, of: .batchEnrichment) == text)
    }

    @Test("a retry of a scan counts photos and books")
    func scanRetries() throws {
        func text(_ count: Int) throws -> String {
            RetryCommand.text(RetryOutcome(jobId: try job(), status: .failed, retrying: count), of: .aiScan)
        }
        #expect(try text(0).hasSuffix("has no photos or books to retry."))
        #expect(try text(1).hasPrefix("1 photo or book is being retried."))
        #expect(try text(2).hasPrefix("2 photos and books are being retried."))
    }

    @Test(
        "when a watched job ends, its failure or, if there is none, its message and the command for its results are printed"
    )
    func endings() throws {
        var report = JobReport(job: try job())
        report.message = "2 of 3 books found"
        #expect(
            WatchCommand.ending(report, hasResults: true)
                == "Job f2fe9772: 2 of 3 books found\nRead the results with: bookstrack results f2fe9772")
        #expect(WatchCommand.ending(report, hasResults: false) == "Job f2fe9772: 2 of 3 books found")
        report.failure = CommandFailure(.notPermitted, "the token was refused")
        #expect(WatchCommand.ending(report, hasResults: true) == "Job f2fe9772: the token was refused")
    }

    @Test("Ctrl-C prints what continues and how to resume watching")
    func interrupts() throws {
        #expect(
            RunState.interruptMessage(to: [try job()])
                == "The job continues in the background. To resume watching: bookstrack watch f2fe9772")
        #expect(
            RunState.interruptMessage(to: [try job(), try job("my-shelf-1")])
                == "Unfinished jobs continue in the background. "
                + "To resume watching: bookstrack watch f2fe9772 my-shelf-1")
    }

    @Test(
        "a random identifier is shown by its first eight characters, and any other identifier in full",
        arguments: [
            ("f2fe9772-e404-440f-8ad9-19432d456abc", "f2fe9772"), ("my-long-shelf-name", "my-long-shelf-name"),
        ])
    func short(identifier: String, shown: String) throws {
        #expect(try job(identifier).short == shown)
    }

    @Test(
        "planned retries are reported with the time of the next one and their jobs",
        arguments: [
            (
                1, ["f2fe9772-e404-440f-8ad9-19432d456abc"],
                "The server will retry 1 book in 1 h (2026-11-21T11:00:00.000Z). Then read the results with: bookstrack results f2fe9772. To retry now: bookstrack retry f2fe9772"
            ),
            (
                12, ["my-shelf-1", "my-shelf-2"],
                "The server will retry 12 books in 1 h (2026-11-21T11:00:00.000Z). Then read the results with: bookstrack results my-shelf-1 my-shelf-2. To retry now: bookstrack retry JOB"
            ),
        ])
    func laterRetries(count: Int, jobs: [String], text: String) throws {
        let reports = try jobs.map { JobReport(job: try job($0)) }
        let later = JobState.LaterRetries(count: count, nextAt: "2026-11-21T11:00:00.000Z")
        #expect(ResultsFetch.notice(later, of: reports, now: 1_795_255_200_000) == text)
    }
}
