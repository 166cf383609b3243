package import BookIdentifiers
import JSON

/// Reads responses from Open Library (metadata.md "Providers"; https://openlibrary.org/developers/api).
package enum OpenLibrary {
    /// Editions in an `/api/books?bibkeys=ISBN:…` response with `jscmd=details` or `jscmd=data`, by requested ISBN.
    ///
    /// Unknown ISBNs are absent. The caller must check with `EditionRecord.states(_:)` that an edition states the ISBN under which it was found.
    ///
    /// - Throws: `ProviderBodyError.malformed`.
    package static func decodeDetails(
        _ body: some Sequence<UInt8>
    ) throws(ProviderBodyError) -> [ISBN: EditionRecord] {
        var editions: [ISBN: EditionRecord] = [:]
        for (key, edition) in try entries(of: body, prefix: "ISBN:") {
            if let isbn = ISBN(key) { editions[isbn] = edition }
        }
        return editions
    }

    /// Editions in an `/api/books?bibkeys=OLID:…` response, by edition key.
    ///
    /// - Throws: `ProviderBodyError.malformed`.
    package static func decodeDetailsByEditionKey(
        _ body: some Sequence<UInt8>
    ) throws(ProviderBodyError) -> [String: EditionRecord] {
        Dictionary(try entries(of: body, prefix: "OLID:")) { _, last in last }
    }

    /// The work in a `/works/OL…W.json` response.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeWork(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> WorkRecord {
        guard let work = WorkRecord(OpenLibraryWork(try record(in: body))) else { throw .malformed }
        return work
    }

    /// How the work in a `/works/OL…W.json` response was retired, that is, merged or deleted; nil if it still exists.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeRetirement(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> RetiredWork? {
        RetiredWork(try record(in: body))
    }

    /// The works in a `search.json` response, in the provider's order.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeSearch(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [WorkRecord] {
        try decodeSearchPage(body).works
    }

    /// Works in a `search.json?q=isbn:(… OR …)` response, by the requested ISBN of one of their editions (metadata.md "Lookup").
    ///
    /// Several works may state an ISBN, for example a book and a box set that contains it; they are in the provider's order.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeWorkFacts(
        _ body: some Sequence<UInt8>, asked: [ISBN]
    ) throws(ProviderBodyError) -> [ISBN: [WorkRecord]] {
        let askedByForm = Dictionary(asked.flatMap { isbn in isbn.forms.map { ($0, isbn) } }) { first, _ in first }
        var works: [ISBN: [WorkRecord]] = [:]
        for work in try decodeSearch(body) {
            for isbn in Set(work.statedISBNs.compactMap { askedByForm[$0] }) { works[isbn, default: []].append(work) }
        }
        return works
    }

    /// Entries in an `/api/books` response, by key without `prefix`. With `jscmd=data`, an entry is the record itself; with `jscmd=details`, the
    /// record is in `details`.
    private static func entries(
        of body: some Sequence<UInt8>, prefix: String
    ) throws(ProviderBodyError) -> [(String, EditionRecord)] {
        try ProviderDocument.object(in: body).members.compactMap { key, entry in
            guard key.hasPrefix(prefix), entry.isObject else { return nil }
            return (String(key.dropFirst(prefix.count)), EditionRecord(OpenLibraryEdition(entry["details"] ?? entry)))
        }
    }

    /// The record in a response; throws if the response is an error document.
    static func record(in body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode {
        let record = try ProviderDocument.object(in: body)
        let message = record["key"] == nil ? record["message"]?.string : nil
        if let reason = record["error"]?.string ?? message { throw .refused(reason: reason) }
        return record
    }
}

extension OpenLibrary {
    /// A `search.json` response with its total; works include their best edition if the request asked for editions.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeSearchPage(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> WorkPage {
        let answer = try list("docs", in: body)
        return WorkPage(
            total: answer["numFound"]?.int ?? answer["num_found"]?.int ?? 0,
            works: answer.list("docs", limit: maxResults) { WorkRecord(OpenLibrarySearchDocument($0)) })
    }

    /// A `/works/OL…W/editions.json` response with its total.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeEditions(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionPage {
        let answer = try list("entries", in: body)
        let editions = answer.list("entries", limit: maxResults) { entry in
            entry.isObject ? EditionRecord(OpenLibraryEdition(entry)) : nil
        }
        return EditionPage(total: answer["size"]?.int ?? 0, editions: editions)
    }

    /// The work counts in a `/search/authors.json` response, by author key.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeWorkCounts(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [String: Int] {
        let counts: [(String, Int)] = try list("docs", in: body).list("docs") { author in
            author["key"]?.string.flatMap(OpenLibraryEntry.identifier).flatMap { key in
                author["work_count"]?.int.map { (key, $0) }
            }
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// Maximum number of entries on one page; the provider sends at most 1000.
    private static let maxResults = 1_000

    /// The object that contains a list. An object without the list is an error document, never an empty result.
    static func list(_ name: StaticString, in body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode {
        let answer = try record(in: body)
        guard answer[name] != nil else { throw .malformed }
        return answer
    }
}
