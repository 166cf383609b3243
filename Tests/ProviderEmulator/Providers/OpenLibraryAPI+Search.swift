import BookIdentifiers
import NIOCore

/// `/search.json`: works, each with the edition that fits best where it was asked for.
extension OpenLibraryAPI {
    func search(_ search: OpenLibrarySearch, _ substitutions: Substitutions) -> Answer {
        let found = ordered(works(search.subject, substitutions), by: search.order)
        var body = ByteBuffer()
        body.writeString("{\"numFound\":\(found.count),\"start\":\(search.page.offset),\"numFoundExact\":true,")
        body.writeString("\"num_found\":\(found.count),\"docs\":[")
        for (place, index) in search.page.part(of: found).enumerated() {
            if place > 0 { body.writeString(",") }
            write(shelf.works[index], search, into: &body)
        }
        body.writeString("]}")
        return .json(body)
    }

    private func works(_ subject: OpenLibrarySearch.Subject, _ substitutions: Substitutions) -> [Int] {
        switch subject {
        case .words(let query):
            return query.authorKeys.contains { substitutions[$0] == .missing } ? [] : shelf.titles.search(query)
        case .keys(let keys): return keys.compactMap(shelf.place(ofWork:))
        case .isbns(let isbns):
            var found: [Int] = []
            for isbn in isbns {
                let works =
                    switch substitutions[.isbn(isbn)] {
                    case .missing: [Int]()
                    case .wrongBook: shelf.wrongWork(for: isbn).map { [$0] } ?? []
                    case nil: shelf.works(isbn)
                    }
                for work in works { found.appendNew(work) }
            }
            return found
        }
    }

    /// Works without the year that is ordered by come last.
    private func ordered(_ found: [Int], by order: OpenLibrarySearch.Order) -> [Int] {
        func sorted(_ key: (OpenLibraryShelf.Work) -> Int) -> [Int] {
            found.sorted { (key(shelf.works[$0]), $0) < (key(shelf.works[$1]), $1) }
        }
        return switch order {
        case .relevance: found
        case .new: sorted { -($0.firstYear ?? .min + 1) }
        case .old: sorted { $0.firstYear ?? .max }
        case .editions: sorted { -$0.editions.count }
        case .title: found.sorted { (shelf.works[$0].title.folded, $0) < (shelf.works[$1].title.folded, $1) }
        }
    }

    private func write(_ work: OpenLibraryShelf.Work, _ search: OpenLibrarySearch, into body: inout ByteBuffer) {
        work.search.write(search.fields, into: &body)
        guard let mask = search.editionFields else { return }
        let fitting = fitting(work, search)
        body.moveWriterIndex(to: body.writerIndex - 1)
        if body.getInteger(at: body.writerIndex - 1, as: UInt8.self) != UInt8(ascii: "{") { body.writeString(",") }
        let editions: JSONValue = [
            "numFound": .integer(fitting.count), "start": 0, "numFoundExact": true,
            "docs": .array(fitting.prefix(1).map { $0.search().masked(by: mask) }),
        ]
        body.writeString("\"editions\":")
        body.writeBytes(editions.rendered)
        body.writeString("}")
    }

    /// The editions that answer the search, the best one first.
    private func fitting(_ work: OpenLibraryShelf.Work, _ search: OpenLibrarySearch) -> [OpenLibraryShelf.Edition] {
        let editions = work.editions.map { shelf.editions[$0] }
        switch search.subject {
        case .isbns(let isbns): return editions.filter { !Set(isbns).isDisjoint(with: $0.isbns) }
        case .keys: return editions
        case .words(let query):
            let title = (query.title.isEmpty ? query.free : query.title).folded
            func rank(_ edition: OpenLibraryShelf.Edition) -> Int {
                let language = search.language.map { edition.languages.contains($0.rawValue) } ?? true
                return (language ? 0 : 2) + (edition.title.folded == title ? 0 : 1)
            }
            return editions.enumerated().sorted { (rank($0.1), $0.0) < (rank($1.1), $1.0) }.map(\.1)
        }
    }
}
