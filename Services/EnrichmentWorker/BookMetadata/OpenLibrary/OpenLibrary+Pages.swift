import BookstrackContract

extension OpenLibrary {
    /// A `search.json` answer with its total; works carry their best edition where the request asked for it.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeSearchPage(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> WorkPage {
        let answer = try list("docs", in: body)
        return WorkPage(
            total: answer["numFound"]?.int ?? answer["num_found"]?.int ?? 0,
            works: answer.list("docs", limit: mostResults) { WorkRecord(OpenLibrarySearchDocument($0)) })
    }

    /// A `/works/OL…W/editions.json` answer with its total.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeEditions(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionPage {
        let answer = try list("entries", in: body)
        let editions = answer.list("entries", limit: mostResults) { entry in
            entry.isObject ? EditionRecord(OpenLibraryEdition(entry)) : nil
        }
        return EditionPage(total: answer["size"]?.int ?? 0, editions: editions)
    }

    /// Most entries of one page; the provider sends at most 1000.
    private static let mostResults = 1_000

    /// The object that holds a list. Without the list it is an error document, never an empty answer.
    static func list(_ name: StaticString, in body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode {
        let answer = try record(in: body)
        guard answer[name] != nil else { throw .malformed(.openLibrary) }
        return answer
    }
}
