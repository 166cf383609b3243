import BookIdentifiers
import NIOCore
import NIOHTTP1

/// Answers as Open Library would.
struct OpenLibraryAPI: Sendable {
    let shelf: OpenLibraryShelf

    /// - Parameter base: The emulated provider's own base URL, for redirects.
    func answer(_ request: OpenLibraryRequest, _ substitutions: Substitutions, base: String) -> Answer {
        switch request {
        case .books(let keys, let command, let json): books(keys, command, json: json, substitutions)
        case .search(let asked): search(asked, substitutions)
        case .refusedSearch(let reason): refusal(reason)
        case .authors(let name, let page): authors(name, page, substitutions)
        case .authorsByKey(let keys, let page): authors(keys.compactMap(shelf.author(key:)), page)
        case .editions(let workKey, let page): editions(workKey: workKey, page)
        case .works(let authorKey, let page): works(authorKey: authorKey, page)
        case .isbn(let isbn): redirect(isbn, substitutions, base: base)
        case .edition(let key): document(shelf.edition(key: key)?.document, key: key)
        case .work(let key): document(shelf.work(key: key)?.document ?? shelf.retired[key], key: key)
        case .author(let key): document(shelf.authors[key], key: key)
        case .unknown: .text("<html><body><h1>404 Not Found</h1></body></html>", status: .notFound, type: "text/html")
        }
    }

    private func edition(_ isbn: ISBN, _ substitutions: Substitutions) -> OpenLibraryShelf.Edition? {
        switch substitutions[.isbn(isbn)] {
        case .missing: nil
        case .wrongBook: shelf.wrongEdition(for: isbn)
        case nil: shelf.edition(isbn)
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
                case .edition(let key): shelf.edition(key: key)
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
        _ edition: OpenLibraryShelf.Edition, asked key: String, _ command: OpenLibraryRequest.Command,
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

    /// As FastAPI words a parameter that is not valid (https://fastapi.tiangolo.com/tutorial/handling-errors/).
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
