import BookstrackContract
package import BookIdentifiers

/// Reads the answers of Open Library (spec/04; https://openlibrary.org/developers/api).
package enum OpenLibrary {
    /// Editions of an `/api/books?bibkeys=ISBN:…` answer, `jscmd=details` or `jscmd=data`, by the number asked.
    ///
    /// Unknown numbers are absent. Whether an edition states the number it was found by is for the caller to check with
    /// `EditionRecord.states(_:)`.
    ///
    /// - Throws: `ProviderBodyError.malformed`.
    package static func decodeDetails(
        _ body: some Sequence<UInt8>
    ) throws(ProviderBodyError) -> [ISBN: EditionRecord] {
        let entries = try ProviderDocument.decode([String: Lenient<Details>].self, from: body, of: .openLibrary)
        var editions: [ISBN: EditionRecord] = [:]
        for (key, entry) in entries {
            guard key.hasPrefix("ISBN:"), let isbn = ISBN(String(key.dropFirst(5))), let details = entry.value else {
                continue
            }
            editions[isbn] = EditionRecord(details.edition)
        }
        return editions
    }

    /// Editions of an `/api/books?bibkeys=OLID:…` answer by their edition key.
    ///
    /// - Throws: `ProviderBodyError.malformed`.
    package static func decodeDetailsByEditionKey(
        _ body: some Sequence<UInt8>
    ) throws(ProviderBodyError) -> [String: EditionRecord] {
        let entries = try ProviderDocument.decode([String: Lenient<Details>].self, from: body, of: .openLibrary)
        let editions = entries.compactMap { key, entry in
            key.hasPrefix("OLID:") ? entry.value.map { (String(key.dropFirst(5)), EditionRecord($0.edition)) } : nil
        }
        return Dictionary(editions) { first, _ in first }
    }

    /// The edition of a `/books/OL…M.json` or `/isbn/….json` answer.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for `{"error": "notfound"}`.
    package static func decodeEdition(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionRecord {
        let answer = try ProviderDocument.decode(Answer<OpenLibraryEdition>.self, from: body, of: .openLibrary)
        return EditionRecord(try answer.document())
    }

    /// The work of a `/works/OL…W.json` answer.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for `{"error": "notfound"}`.
    package static func decodeWork(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> WorkRecord {
        let answer = try ProviderDocument.decode(Answer<OpenLibraryWork>.self, from: body, of: .openLibrary)
        guard let work = WorkRecord(try answer.document()) else { throw .malformed(.openLibrary) }
        return work
    }

    /// Works of a `search.json` answer in the provider's order.
    ///
    /// - Throws: `ProviderBodyError.malformed`.
    package static func decodeSearch(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [WorkRecord] {
        try ProviderDocument.decode(SearchAnswer.self, from: body, of: .openLibrary).docs
            .compactMap { $0.value.flatMap(WorkRecord.init) }
    }

    /// Works of a `search.json?q=isbn:(… OR …)` answer by the asked number that one of their editions has (spec/07).
    ///
    /// Where two works claim a number, the one that the provider ranks first has it.
    ///
    /// - Throws: `ProviderBodyError.malformed`.
    package static func decodeWorkFacts(
        _ body: some Sequence<UInt8>, asked: [ISBN]
    ) throws(ProviderBodyError) -> [ISBN: WorkRecord] {
        let askedByForm = Dictionary(asked.flatMap { isbn in isbn.forms.map { ($0, isbn) } }) { first, _ in first }
        var works: [ISBN: WorkRecord] = [:]
        for work in try decodeSearch(body) {
            for isbn in work.statedISBNs.compactMap({ askedByForm[$0] }) where works[isbn] == nil {
                works[isbn] = work
            }
        }
        return works
    }

    /// An entry of `/api/books`: the record itself with `jscmd=data`, inside `details` with `jscmd=details`.
    private struct Details: Decodable {
        let edition: OpenLibraryEdition

        private enum CodingKeys: CodingKey {
            case details
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            edition = try fields.lenient(.details) ?? OpenLibraryEdition(from: decoder)
        }
    }

    private struct SearchAnswer: Decodable {
        let docs: [Lenient<OpenLibrarySearchDocument>]
    }

    /// A record, or the error document that takes its place.
    private struct Answer<Record: Decodable>: Decodable {
        private let record: Record?
        private let reason: String?

        private enum CodingKeys: CodingKey {
            case error, message, key
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            reason = fields.lenient(.error) ?? (fields.contains(.key) ? nil : fields.lenient(.message))
            record = reason == nil ? try Record(from: decoder) : nil
        }

        func document() throws(ProviderBodyError) -> Record {
            guard let record else { throw .refused(.openLibrary, reason: reason ?? "no record") }
            return record
        }
    }
}
