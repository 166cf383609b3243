import JSON

/// Reads responses from Wikidata's API (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
package enum Wikidata {
    /// Codes of errors after which a later call may succeed: the servers are lagging or read-only, or the caller sent too many requests.
    private static let busyCodes: Set<String> = ["maxlag", "ratelimited", "readonly"]

    /// Identifiers of the items in a `wbsearchentities` response, in Wikidata's order.
    ///
    /// - Throws: `ProviderBodyError`.
    package static func decodeSearch(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [String] {
        let answer = try answer(body)
        guard answer["search"] != nil else { throw .malformed }
        return answer.list("search") { $0["id"]?.string.flatMap { isItem($0) ? $0 : nil } }
    }

    /// People and other items in a `wbgetentities` response, by requested identifier.
    ///
    /// Deleted and unknown items are absent. An item that was merged into another is present under both identifiers; its record contains the current
    /// one.
    ///
    /// - Throws: `ProviderBodyError`.
    package static func decodeEntities(
        _ body: some Sequence<UInt8>
    ) throws(ProviderBodyError) -> [String: PersonRecord] {
        guard let entities = try answer(body)["entities"] else { throw .malformed }
        var records: [String: PersonRecord] = [:]
        // A response without items is `[]`, the way PHP writes any empty array.
        for (key, entity) in entities.members {
            guard entity["missing"] == nil, let id = entity["id"]?.string, isItem(id) else { continue }
            let record = PersonRecord(WikidataItem(id: id, node: entity))
            records[key] = record
            records[id] = record
            if let former = entity["redirects"]?["from"]?.string { records[former] = record }
        }
        return records
    }

    private static func answer(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode {
        let root = try ProviderDocument.object(in: body)
        guard let error = root["error"] else { return root }
        let code = error["code"]?.string ?? "unknown"
        // The limit depends on the client (https://www.mediawiki.org/wiki/API:Data_formats#Multivalue_parameters).
        if code == "toomanyvalues" { throw .tooManyValues }
        throw busyCodes.contains(code) ? .exhausted : .refused(reason: code)
    }

    private static func isItem(_ id: String) -> Bool {
        id.utf8.first == UInt8(ascii: "Q") && id.utf8.count > 1
            && id.utf8.dropFirst().allSatisfy(\.isASCIIDigit)
    }
}
