/// Searches at the providers, called with `callRaw`. The parameters are a `SearchQuery`, the shape of the answer and the client, the
/// result is `[head, data]`; see ``SearchAnswer``.
///
/// Application errors: `NOT_FOUND` for editions of an unknown work; `PROVIDER_TIMEOUT`, `PROVIDER_ERROR`, `QUOTA_EXHAUSTED` when
/// no provider answered (http-api.md "Routes").
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

    /// What is asked, whoever asks it: equal questions share an answer.
    package struct Question: Sendable, Hashable {
        package var query: SearchQuery
        package var shape: Shape

        package init(query: SearchQuery, shape: Shape) {
            self.query = query
            self.shape = shape
        }
    }

    package struct Parameters: Codable, Sendable, Equatable {
        package var query: SearchQuery
        package var shape: Shape
        /// Whose share of paid budgets the search counts against, as ``JobOrigin/client``; nil from an api-proxy of an earlier version.
        package var client: String?

        package init(_ question: Question, client: String?) {
            query = question.query
            shape = question.shape
            self.client = client
        }

        package var question: Question { Question(query: query, shape: shape) }
    }
}
