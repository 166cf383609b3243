import JSON

/// Reads responses from Google Books (metadata.md "Providers").
package enum GoogleBooks {
    /// Editions in a `volumes?q=…` response, in the provider's order; none for a response without `items`.
    ///
    /// The provider may respond to an ISBN query with a different book: check `EditionRecord.states(_:)`.
    ///
    /// - Throws: `ProviderBodyError`, also for an error document that arrives with status 200.
    package static func decodeVolumes(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [EditionRecord] {
        try decodeVolumePage(body).editions
    }

    /// A `volumes?q=…` response with the provider's estimate of the total.
    ///
    /// - Throws: `ProviderBodyError`, also for an error document that arrives with status 200.
    package static func decodeVolumePage(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionPage {
        let answer = try answer(body)
        let editions = answer.list("items") { GoogleVolume($0).map(EditionRecord.init) }
        return EditionPage(total: answer["totalItems"]?.int ?? 0, editions: editions)
    }

    private static func answer(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode {
        let answer = try ProviderDocument.object(in: body)
        if let error = GoogleErrorDocument(answer) { throw error.bodyError }
        return answer
    }
}
