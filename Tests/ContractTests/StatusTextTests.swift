import BookstrackContract
import Testing

/// Texts of the phase-2 plan, task 4.
@Suite("Status texts")
struct StatusTextTests {
    @Test("the plan's own examples")
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
        #expect(StatusText.completion(succeeded: 45, failed: 5) == "Added 45 books. 5 couldn't be found.")
    }

    @Test("no status holds a word that shipped clients take for an end")
    func neutral() {
        for processed in [0, 1, 99, 10_000] {
            #expect(StatusText.isNeutral(StatusText.progress(processed: processed, total: 10_000)))
        }
        #expect(StatusText.isNeutral(StatusText.cancelled))
        for text in ["Error", "it FAILED", "failure", "Completed", "incomplete"] {
            #expect(!StatusText.isNeutral(text))
        }
    }

    @Test("the estimate follows the pace so far")
    func estimate() {
        #expect(StatusText.estimatedSecondsRemaining(processed: 0, total: 10, elapsedMilliseconds: 500) == nil)
        #expect(StatusText.estimatedSecondsRemaining(processed: 5, total: 10, elapsedMilliseconds: 5_000) == 5)
        #expect(StatusText.estimatedSecondsRemaining(processed: 9, total: 10, elapsedMilliseconds: 1) == 1)
        #expect(StatusText.estimatedSecondsRemaining(processed: 10, total: 10, elapsedMilliseconds: 5_000) == 0)
        #expect(StatusText.estimatedSecondsRemaining(processed: 5, total: 10, elapsedMilliseconds: -1) == nil)
    }
}
