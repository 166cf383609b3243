/// Searches at the providers, called with `callRaw`. The parameters are a `SearchQuery` and the shape of the answer, the result
/// is `[head, data]`; see ``SearchAnswer``.
///
/// Application errors: `NOT_FOUND` for editions of an unknown work; `PROVIDER_TIMEOUT`, `PROVIDER_ERROR`, `QUOTA_EXHAUSTED` when
/// no provider answered (spec/02 "Routes").
package enum SearchBooks {
    package static let name = "search.books"
    /// Spec/07 "A search's deadline".
    package static let deadline = Duration.seconds(9)

    /// What the answer's data is.
    package enum Shape: String, Codable, Sendable {
        /// `SearchResults`, or `EditionResults` for editions.
        case contract
        /// `VolumeList` of the deprecated routes.
        case volumes
    }

    package struct Parameters: Codable, Sendable, Hashable {
        package var query: SearchQuery
        package var shape: Shape

        package init(query: SearchQuery, shape: Shape) {
            self.query = query
            self.shape = shape
        }
    }
}
