import BookMetadata

/// The path and query of the request that answers some questions of one kind.
enum ProviderPath {
    static func of(_ questions: [Question]) -> String {
        let numbers = questions.compactMap(\.isbn)
        return switch questions[0] {
        case .edition: OpenLibraryRequests.details(numbers)
        case .editionKey: OpenLibraryRequests.details(editionKeys: questions.compactMap(\.editionKey))
        case .workFacts: OpenLibraryRequests.workFacts(numbers)
        case .work(let key): OpenLibraryRequests.work(key)
        case .indexedWork: OpenLibraryRequests.works(questions.compactMap(\.indexedWorkKey))
        case .works(let question):
            OpenLibraryRequests.titleSearch(title: question.title, author: question.author)
        case .workSearch(let question): works(question)
        case .editionsOfWork(let key): OpenLibraryRequests.editions(ofWork: key, limit: mostEditions)
        case .worksOfAuthor: OpenLibraryRequests.authors(questions.compactMap(\.authorKey))
        case .volumes(let isbn): GoogleBooksRequests.isbn(isbn, key: nil)
        case .volumesByTitle(let question):
            GoogleBooksRequests.titleSearch(title: question.title, author: question.author, key: nil)
        case .volumeSearch(let question): volumes(question)
        case .isbndbBook(let isbn): questions.count > 1 ? ISBNdbRequests.bulk : ISBNdbRequests.book(isbn)
        case .isbndbSearch(let question): ISBNdbRequests.books(words(question), limit: question.limit)
        case .author(let query): WikidataRequests.search(query.name)
        }
    }

    /// What is posted with it; nil for a GET.
    static func body(_ questions: [Question]) -> String? {
        guard case .isbndbBook = questions[0], questions.count > 1 else { return nil }
        return ISBNdbRequests.bulkBody(questions.compactMap(\.isbn))
    }

    /// Editions of a work that are looked at; the most complete of them are answered.
    private static let mostEditions = 100

    private static func works(_ question: SearchTerms) -> String {
        switch question.text {
        case .words(let words): OpenLibraryRequests.search(words, limit: question.limit)
        case .fields(let title, let author):
            OpenLibraryRequests.search(title: title, author: author, limit: question.limit)
        case .worksOf(let author, let offset, let order):
            OpenLibraryRequests.authorWorks(author, limit: question.limit, offset: offset, sort: order)
        }
    }

    private static func volumes(_ question: SearchTerms) -> String {
        switch question.text {
        case .words(let words): GoogleBooksRequests.search(words, limit: question.limit)
        case .fields(let title, let author):
            GoogleBooksRequests.search(title: title, author: author, limit: question.limit)
        case .worksOf(let author, let offset, _):
            GoogleBooksRequests.search(title: nil, author: author, limit: question.limit, startIndex: offset)
        }
    }

    private static func words(_ question: SearchTerms) -> String {
        switch question.text {
        case .words(let words): words
        case .fields(let title, let author): [title, author].compactMap(\.self).joined(separator: " ")
        case .worksOf(let author, _, _): author
        }
    }
}

extension Question {
    fileprivate var authorKey: String? {
        if case .worksOfAuthor(let key) = self { key } else { nil }
    }

    fileprivate var indexedWorkKey: String? {
        if case .indexedWork(let key) = self { key } else { nil }
    }

    fileprivate var editionKey: String? {
        if case .editionKey(let key) = self { key } else { nil }
    }
}
