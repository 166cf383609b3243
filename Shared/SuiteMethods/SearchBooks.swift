package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore

/// Searches the providers; called with `callRaw`. The parameters are a `SearchQuery`, the type of the response, and the client. The result is `[head,
/// data]`; see ``SearchAnswer``.
///
/// Application errors: `INVALID_ISBN`; `NOT_FOUND` if a search for editions finds none; `PROVIDER_TIMEOUT`, `PROVIDER_ERROR` or `QUOTA_EXHAUSTED` if
/// no provider responded, or if some failed and no editions were found (http-api.md "Searches").
package enum SearchBooks {
    package static let name = "search.books"
    /// The deadline of a search (http-api.md "Searches").
    package static let deadline = Duration.seconds(9)

    /// The type of the response data.
    package enum Shape: String, Codable, Sendable {
        /// `SearchResults`, or `EditionResults` for editions.
        case contract
        /// `VolumeList`, for the deprecated routes.
        case volumes
    }

    /// A search without its client: equal searches share one response.
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
        /// The client whose share of the paid budgets is charged, as in ``JobOrigin/client``; nil if sent by an earlier version of api-proxy.
        package var client: String?

        package init(_ question: Question, client: String?) {
            query = question.query
            shape = question.shape
            self.client = client
        }

        package var question: Question { Question(query: query, shape: shape) }
    }
}

/// A search that api-proxy has validated. Equal queries have equal responses.
package struct SearchQuery: Codable, Sendable, Hashable {
    /// The kind of search, which determines the fields that are used.
    package enum Kind: String, Codable, Sendable {
        /// By `isbn`.
        case isbn
        /// By `title`, which may also contain words of an author's name.
        case title
        /// By `title`, `author` or both.
        case advanced
        /// The editions of a work, by its `title` and, if given, its `author`.
        case editions
        /// By `author`, with `offset` and `order`.
        case author
    }

    /// How the works of an author are sorted; without an order, they are sorted by relevance.
    package enum Order: String, Codable, Sendable {
        case newest
        case oldest
        case title
        case popularity
    }

    package var kind: Kind
    /// ISBN-13 without hyphens.
    package var isbn: String?
    package var title: String?
    package var author: String?
    /// Maximum number of results.
    package var limit: Int
    /// Number of results to skip.
    package var offset: Int
    package var order: Order?
    /// Whether the response explains the rank of each work: true or nil. Such responses are cached separately.
    package var isExplained: Bool?

    package init(
        _ kind: Kind, isbn: String? = nil, title: String? = nil, author: String? = nil, limit: Int, offset: Int = 0,
        order: Order? = nil
    ) {
        self.kind = kind
        self.isbn = isbn
        self.title = title
        self.author = author
        self.limit = limit
        self.offset = offset
        self.order = order
    }
}

/// The response of ``SearchBooks``: its head as a value, and its data as the JSON that clients receive (Services/README.md "JSON-RPC").
package struct SearchAnswer: Sendable, Equatable {
    /// Metadata about the data.
    package struct Head: Codable, Sendable, Equatable {
        /// The provider that supplied the first match, or "none".
        package var provider: String
        /// Seconds since the oldest part was received from its provider; nil unless every part is from the cache.
        package var ageSeconds: Int?
        /// Seconds for which the data is fresh; 0 if it must not be cached.
        package var freshSeconds: Int
        /// Whether an expired part is served while it is being refreshed or because its provider is failing.
        package var isStale: Bool
        /// The outcome of each provider; nil unless one failed.
        package var providers: [ProviderReport]?

        package init(
            provider: String, ageSeconds: Int?, freshSeconds: Int, isStale: Bool, providers: [ProviderReport]?
        ) {
            self.provider = provider
            self.ageSeconds = ageSeconds
            self.freshSeconds = freshSeconds
            self.isStale = isStale
            self.providers = providers
        }
    }

    package var head: Head
    /// The JSON text of the data.
    package var data: ByteBuffer

    package init(head: Head, data: ByteBuffer) {
        self.head = head
        self.data = data
    }

    /// Parses a result; nil if it does not have the documented form.
    package init?(raw: ByteBuffer) {
        guard let elements = ArrayReader(raw)?.elements, elements.count == 2,
            let head = try? BodyCoding.decode(Head.self, from: elements[0])
        else { return nil }
        self.init(head: head, data: elements[1])
    }

    /// The result's text. Throws `EncodingError`.
    package func raw() throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "[")
        buffer.writeImmutableBuffer(try BodyCoding.encode(head))
        buffer.writeString(",")
        buffer.writeImmutableBuffer(data)
        buffer.writeString("]")
        return buffer
    }
}
