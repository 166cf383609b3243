import NIOCore

/// Lists below a work or an author, and the search for authors.
extension OpenLibraryAPI {
    /// `{"links":{…},"size":n,"entries":[editions]}`
    func editions(workKey: String, _ page: ResultPage) -> Answer {
        guard let work = shelf.work(key: workKey) else { return notFound(workKey) }
        let entries = page.part(of: work.editions).map { shelf.editions[$0].document }
        return list("work", workKey, "editions.json", page, size: work.editions.count, entries: Array(entries))
    }

    /// `{"links":{…},"size":n,"entries":[works]}`
    func works(authorKey: String, _ page: ResultPage) -> Answer {
        guard shelf.authors[authorKey] != nil else { return notFound(authorKey) }
        let works = shelf.works(ofAuthor: authorKey).compactMap { shelf.works[$0].document }
        return list(
            "author", authorKey, "works.json", page, size: works.count, entries: Array(page.part(of: works)))
    }

    func authors(_ name: String, _ page: ResultPage, _ substitutions: Substitutions) -> Answer {
        authors(substitutions[.author(name.folded)] == .missing ? [] : shelf.authors(named: name), page)
    }

    func authors(_ found: [OpenLibraryShelf.Author], _ page: ResultPage) -> Answer {
        .json([
            "numFound": .integer(found.count), "start": .integer(page.offset), "numFoundExact": true,
            "docs": .array(page.part(of: found).map(authorDocument)),
        ])
    }

    private func authorDocument(_ author: OpenLibraryShelf.Author) -> JSONValue {
        let works = shelf.works(ofAuthor: author.key)
        return .members([
            "key": .string(String(author.key.dropFirst("/authors/".count))),
            "name": .string(author.name),
            "type": "author",
            "top_work": works.first.map { .string(shelf.works[$0].title) },
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
