import BookstrackContract
import Testing

/// Texts about imports and scans, and texts for edge cases such as books without a title (jobs.md "Status texts", imports.md and scans.md "Frames").
@Suite("Friendly texts")
struct FriendlyTextTests {
    @Test(
        "each phase of an import has a neutral, a friendly and a technical text",
        arguments: [
            (
                ImportPhase.parsing, "Reading your library", "📄 Reading your library export... 12% complete",
                "CSV parsing (12%)"
            ),
            (
                .validating, "Validating book data", "✅ Validating book data... 12% complete",
                "CSV validating (12%)"
            ),
            (
                .saving, "Adding books to your library", "💾 Adding books to your library... 12% complete",
                "CSV saving (12%)"
            ),
        ])
    func phases(phase: ImportPhase, status: String, friendly: String, technical: String) {
        #expect(StatusText.progress(phase) == status)
        #expect(StatusText.friendlyProgress(phase, percentage: 12) == friendly)
        #expect(StatusText.technicalProgress(phase, percentage: 12) == technical)
    }

    @Test(
        "an import's final text states the number of books and the number of unusable rows",
        arguments: [
            (0, 0, "✅ Added 0 books to your library."), (1, 0, "✅ Added 1 book to your library."),
            (97, 0, "✅ Added 97 books to your library."), (97, 1, "Added 97 books. 1 row couldn't be used."),
            (1, 2, "Added 1 book. 2 rows couldn't be used."),
        ])
    func importCompletion(books: Int, errors: Int, text: String) {
        #expect(StatusText.completion(books: books, errors: errors) == text)
    }

    @Test(
        "each stage of a scan has a neutral and a friendly text",
        arguments: [
            (ScanStage.analyzing, "Analyzing photo 2 of 3", "🔍 Analyzing bookshelf photo with AI..."),
            (.extracting, "Extracting books", "📚 Extracting books..."),
            (.enriching, "Finding details for your books", "✨ Finding details for your books..."),
        ])
    func stages(stage: ScanStage, status: String, friendly: String) {
        #expect(StatusText.progress(stage, photo: 2, of: 3) == status)
        #expect(StatusText.friendlyProgress(stage) == friendly)
        #expect(StatusText.isNeutral(status))
    }

    @Test("the text for a single photo does not number it")
    func onePhoto() {
        #expect(StatusText.progress(.analyzing, photo: 1, of: 1) == "Analyzing photo")
    }

    @Test(
        "a scan's final text states the number of books and the number to review",
        arguments: [
            (1, 1, "✅ Found 1 book."), (12, 12, "✅ Found 12 books."), (12, 11, "Found 12 books. 1 needs your review."),
            (12, 0, "Found 12 books. 12 need your review."),
        ])
    func scanCompletion(detected: Int, approved: Int, text: String) {
        #expect(StatusText.completion(detected: detected, approved: approved) == text)
    }

    @Test("the texts by which shipped apps recognize the end of a scan never change")
    func scanEnds() {
        #expect(StatusText.scanComplete == "Scan complete")
        #expect(StatusText.scanFailed("No book can be seen.") == "Scan failed (error): No book can be seen.")
        #expect(StatusText.cancelled == "job_cancelled")
    }

    @Test("a cancellation text explains what happens to the results so far")
    func cancellations() {
        #expect(StatusText.friendlyCancellation == "Cancelled. Books that were already found are kept for a while.")
        #expect(StatusText.friendlyImportCancellation == "Cancelled. Nothing was added to your library.")
        #expect(StatusText.friendlyScanCancellation == "Cancelled. No books were added.")
    }

    @Test(
        "the friendly text for a book without a title refers to books in general, and the technical text names a book that was not found"
    )
    func untitled() {
        #expect(
            StatusText.friendlyProgress(title: "", found: false, processed: 5, total: 10)
                == "Finding details for your books... 5 of 10 books complete")
        #expect(
            StatusText.technicalProgress(title: "Bad Title", found: false, processed: 5, total: 10)
                == "Enrichment failed (5/10): Bad Title")
    }

    @Test("progress texts never count more books than there are")
    func bounded() {
        #expect(StatusText.progress(processed: 12, total: 10) == "Processing book 10 of 10")
        #expect(StatusText.progress(processed: 0, total: 0) == "Processing book 0 of 0")
    }
}
