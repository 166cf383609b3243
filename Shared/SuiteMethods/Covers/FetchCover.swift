import JSONRPC

/// Brings a cover into the data directory's `covers`, unless it is there. The picture itself does not cross the socket: the caller
/// reads the file (Services/README.md "JSON-RPC").
///
/// Application errors: `INVALID_QUERY` and `FORBIDDEN` as ``CoverAddress/Refusal`` says; `NOT_FOUND` when the host has no such
/// picture; `PROVIDER_TIMEOUT`, `PROVIDER_ERROR`, `QUOTA_EXHAUSTED` when the host does not give one; `SERVICE_UNAVAILABLE` when too
/// many are being fetched, or the picture cannot be kept.
package enum FetchCover: RPCMethod {
    package static let name = "covers.fetch"
    package static let isIdempotent = true
    /// As a search's (http-api.md "Searches").
    package static let deadline = Duration.seconds(9)

    package struct Parameters: Codable, Sendable, Hashable {
        /// The picture's address, see ``CoverAddress``.
        package var url: String
        package var size: CoverSize

        package init(url: String, size: CoverSize) {
            self.url = url
            self.size = size
        }
    }

    package struct Result: Codable, Sendable, Equatable {
        /// The file's name in `covers`. The file may be evicted at any time.
        package var file: CoverName
        /// What the picture is by its content.
        package var contentType: PictureType
        /// The file's length.
        package var bytes: Int

        package init(file: CoverName, contentType: PictureType, bytes: Int) {
            self.file = file
            self.contentType = contentType
            self.bytes = bytes
        }
    }
}
