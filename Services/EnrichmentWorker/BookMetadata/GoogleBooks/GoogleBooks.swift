import BookstrackContract

/// Reads the answers of Google Books (spec/04).
package enum GoogleBooks {
    /// Editions of a `volumes?q=…` answer in the provider's order; none for an answer without `items`.
    ///
    /// The provider may answer an ISBN query with another book: check `EditionRecord.states(_:)`.
    ///
    /// - Throws: `ProviderBodyError`; an error document that arrives with status 200 is one too.
    package static func decodeVolumes(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [EditionRecord] {
        let answer = try ProviderDocument.decode(VolumesAnswer.self, from: body, of: .googleBooks)
        if let error = answer.error { throw error.bodyError }
        return answer.items.map(EditionRecord.init)
    }

    /// The edition of a `volumes/ID` answer.
    ///
    /// - Throws: `ProviderBodyError`.
    package static func decodeVolume(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionRecord {
        let answer = try ProviderDocument.decode(VolumeAnswer.self, from: body, of: .googleBooks)
        switch answer {
        case .volume(let volume): return EditionRecord(volume)
        case .error(let error): throw error.bodyError
        }
    }

    private struct VolumesAnswer: Decodable {
        let items: [GoogleVolume]
        let error: GoogleErrorDocument.Failure?

        private enum CodingKeys: CodingKey {
            case items, error
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            items = fields.list(.items)
            error = fields.lenient(.error)
        }
    }

    private enum VolumeAnswer: Decodable {
        case volume(GoogleVolume)
        case error(GoogleErrorDocument.Failure)

        init(from decoder: any Decoder) throws {
            if let document = try? GoogleErrorDocument(from: decoder) {
                self = .error(document.error)
            } else {
                self = .volume(try GoogleVolume(from: decoder))
            }
        }
    }
}
