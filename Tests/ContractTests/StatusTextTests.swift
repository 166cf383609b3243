import BookstrackContract
import Testing

/// The texts about lookups of books (jobs.md "Status texts").
@Suite("Status texts")
struct StatusTextTests {
    @Test("status texts match the documented examples")
    func examples() {
        #expect(
            StatusText.friendlyProgress(title: "The Great Gatsby", found: true, processed: 5, total: 10)
                == "Finding details for The Great Gatsby... 5 of 10 books complete")
        #expect(
            StatusText.friendlyProgress(title: "Bad Title", found: false, processed: 5, total: 10)
                == "⚠️ Couldn't find details for Bad Title")
        #expect(
            StatusText.technicalProgress(title: "The Great Gatsby", found: true, processed: 5, total: 10)
                == "Enriching (5/10): The Great Gatsby")
        #expect(StatusText.progress(processed: 5, total: 10) == "Processing book 5 of 10")
        var failures = FailureCounts()
        failures[.notFound] = 5
        let counts = JobCounts(total: 50, succeeded: 45, failed: 5, failures: failures)
        #expect(StatusText.completion(counts) == "Added 45 books. 5 couldn't be found.")
    }

    @Test("a completion text counts a book as not found only if no provider has it")
    func completion() {
        var failures = FailureCounts()
        failures[.notFound] = 1
        failures[.providerError] = 2
        failures[.invalidISBN] = 1
        let some = JobCounts(total: 5, succeeded: 1, failed: 4, failures: failures)
        #expect(StatusText.completion(some) == "Added 1 book. 1 couldn't be found, 3 couldn't be looked up.")
        failures[.notFound] = 0
        let none = JobCounts(total: 3, succeeded: 0, failed: 3, failures: failures)
        #expect(StatusText.completion(none) == "Added 0 books. 3 couldn't be looked up.")
        #expect(StatusText.completion(JobCounts(total: 2, succeeded: 2)) == "✅ Added 2 books to your library.")
    }

    @Test("progress and cancellation texts contain no word that shipped clients interpret as the job's end")
    func neutral() {
        for processed in [0, 1, 99, 10_000] {
            #expect(StatusText.isNeutral(StatusText.progress(processed: processed, total: 10_000)))
        }
        for phase in ImportPhase.allCases { #expect(StatusText.isNeutral(StatusText.progress(phase))) }
        #expect(StatusText.isNeutral(StatusText.cancelled))
        for text in ["Error", "it FAILED", "failure", "Completed", "incomplete"] {
            #expect(!StatusText.isNeutral(text))
        }
    }

    @Test("the estimated time remaining follows the average pace so far")
    func estimate() {
        #expect(StatusText.estimatedSecondsRemaining(processed: 0, total: 10, elapsedMilliseconds: 500) == nil)
        #expect(StatusText.estimatedSecondsRemaining(processed: 5, total: 10, elapsedMilliseconds: 5_000) == 5)
        #expect(StatusText.estimatedSecondsRemaining(processed: 9, total: 10, elapsedMilliseconds: 1) == 1)
        #expect(StatusText.estimatedSecondsRemaining(processed: 10, total: 10, elapsedMilliseconds: 5_000) == 0)
        #expect(StatusText.estimatedSecondsRemaining(processed: 5, total: 10, elapsedMilliseconds: -1) == nil)
    }
}
