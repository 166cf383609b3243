import BookIdentifiers
import NIOCore
import NIOHTTP1

/// Answers as Open Library would.
struct OpenLibraryAPI: Sendable {
    let catalog: OpenLibraryCatalog

    /// - Parameter base: Base URL of the emulated provider, for redirects.
    func answer(_ request: OpenLibraryRequest, _ substitutions: Substitutions, base: String) -> Answer {
        switch request {
        case .books(let keys, let command, let json): books(keys, command, json: json, substitutions)
        case .search(let asked): search(asked, substitutions)
        case .refusedSearch(let reason): refusal(reason)
        case .authors(let name, let page): authors(name, page, substitutions)
        case .authorsByKey(let keys, let page): authors(keys.compactMap(catalog.author(key:)), page)
        case .editions(let workKey, let page): editions(workKey: workKey, page)
        case .works(let authorKey, let page): works(authorKey: authorKey, page)
        case .isbn(let isbn): redirect(isbn, substitutions, base: base)
        case .edition(let key): document(catalog.edition(key: key)?.document, key: key)
        case .work(let key): document(catalog.work(key: key)?.document ?? catalog.retired[key], key: key)
        case .author(let key): document(catalog.authors[key], key: key)
        case .unknown: .text("<html><body><h1>404 Not Found</h1></body></html>", status: .notFound, type: "text/html")
        }
    }

    private func edition(_ isbn: ISBN, _ substitutions: Substitutions) -> OpenLibraryCatalog.Edition? {
        switch substitutions[.isbn(isbn)] {
        case .missing: nil
        case .wrongBook: catalog.wrongEdition(for: isbn)
        case nil: catalog.edition(isbn)
        }
    }

    private func books(
        _ keys: [OpenLibraryRequest.BibKey], _ command: OpenLibraryRequest.Command, json: Bool,
        _ substitutions: Substitutions
    ) -> Answer {
        var body = ByteBuffer()
        if !json { body.writeString("var _OLBookInfo = ") }
        var separator = "{"
        for key in keys {
            let edition =
                switch key.book {
                case .isbn(let isbn): edition(isbn, substitutions)
                case .edition(let key): catalog.edition(key: key)
                }
            guard let edition else { continue }
            body.writeString(separator)
            body.writeBytes(JSONValue.string(key.text).rendered)
            body.writeString(":")
            separator = ","
            write(edition, asked: key.text, command, into: &body)
        }
        body.writeString(separator == "{" ? "{}" : "}")
        if json { return .json(body) }
        body.writeString(";")
        return Answer(body: body, type: "text/javascript")
    }

    private func write(
        _ edition: OpenLibraryCatalog.Edition, asked key: String, _ command: OpenLibraryRequest.Command,
        into body: inout ByteBuffer
    ) {
        if command == .data {
            edition.data.write(.everything, into: &body)
            return
        }
        let url = "https://openlibrary.org\(edition.key)"
        body.writeString("{\"bib_key\":")
        body.writeBytes(JSONValue.string(key).rendered)
        body.writeString(",\"info_url\":\"\(url)\",\"preview\":\"noview\",\"preview_url\":\"\(url)\"")
        if let cover = edition.coverID {
            body.writeString(",\"thumbnail_url\":\"https://covers.openlibrary.org/b/id/\(cover)-S.jpg\"")
        }
        if command == .details {
            body.writeString(",\"details\":")
            edition.details.write(.everything, into: &body)
        }
        body.writeString("}")
    }

    private func redirect(_ isbn: ISBN?, _ substitutions: Substitutions, base: String) -> Answer {
        guard let isbn, let edition = edition(isbn, substitutions) else {
            return notFound("/isbn/\(isbn?.isbn13 ?? "")")
        }
        return Answer(
            .found, headers: ["Location": "\(base)\(edition.key).json"], body: ByteBuffer(), type: "text/html")
    }

    /// FastAPI's error for an invalid parameter (https://fastapi.tiangolo.com/tutorial/handling-errors/).
    private func refusal(_ reason: String) -> Answer {
        .json(
            [
                "detail": [
                    ["type": "value_error", "loc": ["query", "q"], "msg": .string("Value error, \(reason)")]
                ]
            ], status: .unprocessableEntity)
    }

    private func document(_ document: RenderedObject?, key: String) -> Answer {
        document.map { .json($0.text.whole) } ?? notFound(key)
    }

    func notFound(_ key: String) -> Answer {
        .json(["error": "notfound", "key": .string(key)], status: .notFound)
    }
}

/// `/search.json`: works, each with its best matching edition if requested.
extension OpenLibraryAPI {
    func search(_ search: OpenLibrarySearch, _ substitutions: Substitutions) -> Answer {
        let found = ordered(works(search.subject, substitutions), by: search.order)
        var body = ByteBuffer()
        body.writeString("{\"numFound\":\(found.count),\"start\":\(search.page.offset),\"numFoundExact\":true,")
        body.writeString("\"num_found\":\(found.count),\"docs\":[")
        for (place, index) in search.page.part(of: found).enumerated() {
            if place > 0 { body.writeString(",") }
            write(catalog.works[index], search, into: &body)
        }
        body.writeString("]}")
        return .json(body)
    }

    private func works(_ subject: OpenLibrarySearch.Subject, _ substitutions: Substitutions) -> [Int] {
        switch subject {
        case .words(let query):
            return query.authorKeys.contains { substitutions[$0] == .missing } ? [] : catalog.titles.search(query)
        case .keys(let keys): return keys.compactMap(catalog.place(ofWork:))
        case .isbns(let isbns):
            var found: [Int] = []
            for isbn in isbns {
                let works =
                    switch substitutions[.isbn(isbn)] {
                    case .missing: [Int]()
                    case .wrongBook: catalog.wrongWork(for: isbn).map { [$0] } ?? []
                    case nil: catalog.works(isbn)
                    }
                for work in works { found.appendNew(work) }
            }
            return found
        }
    }

    /// Sorts works; if they are sorted by year, those without one come last.
    private func ordered(_ found: [Int], by order: OpenLibrarySearch.Order) -> [Int] {
        func sorted(_ key: (OpenLibraryCatalog.Work) -> Int) -> [Int] {
            found.sorted { (key(catalog.works[$0]), $0) < (key(catalog.works[$1]), $1) }
        }
        return switch order {
        case .relevance: found
        case .new: sorted { -($0.firstYear ?? .min + 1) }
        case .old: sorted { $0.firstYear ?? .max }
        case .editions: sorted { -$0.editions.count }
        case .title: found.sorted { (catalog.works[$0].title.folded, $0) < (catalog.works[$1].title.folded, $1) }
        }
    }

    private func write(_ work: OpenLibraryCatalog.Work, _ search: OpenLibrarySearch, into body: inout ByteBuffer) {
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

    /// The editions of a work that match the search: for an ISBN search, those with one of the ISBNs; for other searches, all of them. A search by
    /// words ranks them by language and title, best first.
    private func fitting(_ work: OpenLibraryCatalog.Work, _ search: OpenLibrarySearch) -> [OpenLibraryCatalog
        .Edition]
    {
        let editions = work.editions.map { catalog.editions[$0] }
        switch search.subject {
        case .isbns(let isbns): return editions.filter { !Set(isbns).isDisjoint(with: $0.isbns) }
        case .keys: return editions
        case .words(let query):
            let title = (query.title.isEmpty ? query.free : query.title).folded
            func rank(_ edition: OpenLibraryCatalog.Edition) -> Int {
                let language = search.language.map { edition.languages.contains($0.rawValue) } ?? true
                return (language ? 0 : 2) + (edition.title.folded == title ? 0 : 1)
            }
            return editions.enumerated().sorted { (rank($0.1), $0.0) < (rank($1.1), $1.0) }.map(\.1)
        }
    }
}

/// The lists of a work's editions and an author's works, and the author search.
extension OpenLibraryAPI {
    /// The response `{"links":{…},"size":n,"entries":[editions]}`.
    func editions(workKey: String, _ page: ResultPage) -> Answer {
        guard let work = catalog.work(key: workKey) else { return notFound(workKey) }
        let entries = page.part(of: work.editions).map { catalog.editions[$0].document }
        return list("work", workKey, "editions.json", page, size: work.editions.count, entries: Array(entries))
    }

    /// The response `{"links":{…},"size":n,"entries":[works]}`.
    func works(authorKey: String, _ page: ResultPage) -> Answer {
        guard catalog.authors[authorKey] != nil else { return notFound(authorKey) }
        let works = catalog.works(ofAuthor: authorKey).compactMap { catalog.works[$0].document }
        return list(
            "author", authorKey, "works.json", page, size: works.count, entries: Array(page.part(of: works)))
    }

    func authors(_ name: String, _ page: ResultPage, _ substitutions: Substitutions) -> Answer {
        authors(substitutions[.author(name.folded)] == .missing ? [] : catalog.authors(named: name), page)
    }

    func authors(_ found: [OpenLibraryCatalog.Author], _ page: ResultPage) -> Answer {
        .json([
            "numFound": .integer(found.count), "start": .integer(page.offset), "numFoundExact": true,
            "docs": .array(page.part(of: found).map(authorDocument)),
        ])
    }

    private func authorDocument(_ author: OpenLibraryCatalog.Author) -> JSONValue {
        let works = catalog.works(ofAuthor: author.key)
        return .members([
            "key": .string(String(author.key.dropFirst("/authors/".count))),
            "name": .string(author.name),
            "type": "author",
            "top_work": works.first.map { .string(catalog.works[$0].title) },
            "work_count": .integer(works.count),
        ])
    }

    private func list(
        _ owner: String, _ key: String, _ file: String, _ page: ResultPage, size: Int, entries: [RenderedObject]
    ) -> Answer {
        let path = "\(key)/\(file)"
        let (end, start) = (page.offset + page.limit, max(page.offset - page.limit, 0))
        let links: JSONValue = .object(
            [
                .init(name: "self", value: .string(path)), .init(name: owner, value: .string(key)),
                end < size ? .init(name: "next", value: .string("\(path)?offset=\(end)")) : nil,
                page.offset > 0 ? .init(name: "prev", value: .string("\(path)?offset=\(start)")) : nil,
            ].compactMap(\.self))
        let texts = entries.map { String(buffer: $0.text.whole) }.joined(separator: ",")
        let head = String(decoding: links.rendered, as: UTF8.self)
        return .json(ByteBuffer(string: "{\"links\":\(head),\"size\":\(size),\"entries\":[\(texts)]}"))
    }
}
