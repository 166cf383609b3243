import BookstrackContract
import Testing

/// Words used in JSON and in the databases of existing installations: none of them may be renamed or removed.
@Suite("Vocabulary")
struct VocabularyTests {
    private func expect<Word: CaseIterable & RawRepresentable>(
        _ type: Word.Type, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) where Word.RawValue == String {
        #expect(type.allCases.map(\.rawValue).sorted() == words.sorted(), sourceLocation: sourceLocation)
    }

    @Test("frames have the types in websocket.md, scans.md and streams.md")
    func frames() {
        expect(
            FrameType.self,
            [
                "job_started", "job_progress", "job_complete", "error", "ready", "ready_ack", "reconnected", "ping",
                "pong", "results_updated", "batch-init", "batch-progress", "batch-complete", "batch-canceling",
            ])
    }

    @Test("jobs have the pipelines, priorities and sources in http-api.md")
    func jobs() {
        expect(Pipeline.self, ["batch_enrichment", "csv_import", "ai_scan"])
        expect(JobPriority.self, ["high", "normal", "low"])
        expect(JobSource.self, ["manual", "search", "import", "scan", "sync", "api"])
    }

    @Test(
        "a job without a specified source has its pipeline's default source",
        arguments: [(Pipeline.batchEnrichment, JobSource.api), (.csvImport, .import), (.aiScan, .scan)])
    func sources(pipeline: Pipeline, source: JobSource) {
        #expect(JobSource(of: pipeline) == source)
    }

    @Test("books have the contract's formats, review statuses, providers and match verdicts")
    func books() {
        expect(EditionFormat.self, ["Hardcover", "Paperback", "E-book", "Audiobook", "Mass Market"])
        expect(ReviewStatus.self, ["verified", "needsReview", "userEdited"])
        expect(DataProvider.self, ["google-books", "openlibrary", "isbndb", "gemini"])
        expect(MatchReport.Verdict.self, ["verified", "needsReview", "other"])
    }

    @Test("authors have the contract's five genders and eleven regions")
    func authors() {
        expect(AuthorGender.self, ["Female", "Male", "Non-binary", "Other", "Unknown"])
        expect(
            CulturalRegion.self,
            [
                "Africa", "Asia", "Europe", "North America", "South America", "Oceania", "Middle East", "Caribbean",
                "Central Asia", "Indigenous", "International",
            ])
    }

    @Test("providers are preferred in the order specified in metadata.md")
    func preference() {
        #expect(DataProvider.allCases.sorted() == [.openLibrary, .googleBooks, .isbndb, .gemini])
    }

    @Test("the parts, phases, faults, row errors, skip reasons and column evidence of imports keep their names")
    func imports() {
        expect(ImportPart.self, ["books", "errors", "skipped"])
        expect(ImportPhase.self, ["parsing", "validating", "saving"])
        expect(ImportFault.Code.self, ["CSV_PARSE_ERROR", "BATCH_TOO_LARGE", "PROCESSING_FAILED"])
        expect(
            ImportRowError.Code.self,
            ["NO_TITLE", "TITLE_TOO_LONG", "UNDECODABLE_TEXT", "BROKEN_ROW"])
        expect(SkippedRow.Reason.self, ["otherMedia", "deleted", "empty", "repeatedHeader", "comment", "totals"])
        expect(ImportColumn.Evidence.self, ["format", "header", "content", "ai", "request"])
    }

    @Test("imported books have the reading statuses and remarks that apps display")
    func importedBooks() {
        expect(ReadingStatus.self, ["toRead", "reading", "read", "didNotFinish", "paused", "owned", "wishlist"])
        expect(
            ImportRemark.Code.self,
            [
                "isbnInvalid", "isbnLost", "isbnRestored", "isbnOfOtherBook", "dateUnreadable", "dateAmbiguous",
                "ratingUnreadable", "numberUnreadable", "yearUnreadable", "idUnreadable", "raggedRow",
                "textAfterQuote", "unclosedQuote", "encodingRepaired", "textUndecodable", "textCut",
            ])
    }

    @Test("the column roles keep their names")
    func roles() {
        expect(
            ColumnRole.self,
            [
                "title", "subtitle", "author", "authors", "isbn", "isbn10", "isbn13", "status", "shelves", "tags",
                "rating", "dateRead", "dateStarted", "dateAdded", "readCount", "owned", "review", "notes", "publisher",
                "publicationYear", "originalYear", "publicationDate", "pageCount", "language", "format", "series",
                "position", "goodreadsBookId", "librarythingId", "openLibraryWork", "openLibraryEdition", "asin",
                "googleVolumeId", "mediaType", "ignore",
            ])
    }

    @Test("only roles whose cells can be joined may be assigned to several columns")
    func repeatableRoles() {
        #expect(
            ColumnRole.allCases.filter(\.isRepeatable).map(\.rawValue).sorted()
                == ["authors", "ignore", "notes", "shelves", "tags"])
    }

    @Test("the library formats keep their names")
    func formats() {
        expect(
            LibraryFormat.self,
            [
                "goodreads", "storygraph", "librarything", "librarything-json", "bookwyrm", "bookwyrm-generic",
                "openlibrary", "calibre", "bookbuddy", "hardcover", "babelio", "openreads", "tellico", "libib",
                "book-catalogue", "book-crawler", "leaf", "notion", "clz", "libby", "kindle", "bookstrack",
                "isbn-list", "title-list", "unknown",
            ])
    }

    @Test("photos have four states, two of them final, and scans have three stages")
    func photos() {
        expect(ScannedPhoto.Status.self, ["queued", "processing", "complete", "error"])
        #expect(ScannedPhoto.Status.allCases.filter(\.isOver) == [.complete, .error])
        expect(ScanStage.self, ["analyzing", "extracting", "enriching"])
    }
}
