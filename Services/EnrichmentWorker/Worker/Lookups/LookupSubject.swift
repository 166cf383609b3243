import BookIdentifiers
import BookMetadata
import BookstrackContract
import SuiteMethods

/// The key by which a row is looked up (metadata.md "Lookup", jobs.md "Work").
enum LookupSubject: Sendable {
    case isbn(ISBN, repair: ISBNRepair?)
    /// A title; `unusable` is the error in the row's ISBN, nil if the row has no ISBN or the title is from its work identifier.
    case title(TitleTerms, unusable: ISBNError?)
    /// The words on a spine, if it is unclear which of them are the title.
    case spine(SpineText)
    /// An Open Library work key such as `OL45804W`.
    case work(String)
    /// Nothing to look up; the sentence explains why.
    case nothing(String)

    init(_ query: BookQuery) {
        do throws(ISBNError) {
            let parsed = try ISBN.parse(cell: query.isbn ?? "")
            self = .isbn(parsed.isbn, repair: parsed.repair)
        } catch {
            let title = TitleTerms(title: query.title, author: query.author)
            if let workId = query.workId, title == nil || Self.isWorkKey(workId) {
                self.init(workId: workId)
            } else if let title {
                self = .title(title, unusable: error == .empty ? nil : error)
            } else {
                self = .nothing(query.isbn == nil ? "The row has neither an ISBN nor a title." : error.sentence)
            }
        }
    }

    /// A spine's ISBN or title, otherwise its words.
    init(_ spine: DetectedSpine) {
        self.init(spine.query)
        if case .title = self, spine.title == nil, let text = spine.text { self = .spine(SpineText(text)) }
    }

    init(_ item: ClaimedItem) {
        if let spine = item.spine { self.init(spine.reading) } else { self.init(item.query) }
    }

    private init(workId: String) {
        if let isbn = ISBN(workId) {
            self = .isbn(isbn, repair: nil)
        } else if Self.isWorkKey(workId) {
            self = .work(workId.uppercased())
        } else if let question = TitleTerms(title: workId, author: nil) {
            self = .title(question, unusable: nil)
        } else {
            self = .nothing("The work identifier is empty.")
        }
    }

    /// The questions that will probably be asked, so the cache can be read for many items at a time.
    var questions: [Question] {
        switch self {
        case .isbn(let isbn, _): [.edition(isbn), .workFacts(isbn), .volumes(isbn), .isbndbBook(isbn)]
        case .title(let question, _): [.works(question), .volumesByTitle(question)]
        case .spine(let spine): SpineSearch.terms(spine).map { .workSearch($0) }
        case .work(let key): [.work(key), .indexedWork(key)]
        case .nothing: []
        }
    }

    /// Whether a string is `OL…W` with digits in between.
    private static func isWorkKey(_ text: String) -> Bool {
        let key = text.uppercased()
        let number = key.dropFirst(2).dropLast()
        return key.hasPrefix("OL") && key.hasSuffix("W") && !number.isEmpty
            && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
