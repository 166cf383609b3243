import Crypto
import ImageFiles
import JSONRPC

/// Fetches a cover into the data directory's `covers`, unless it is already there. The picture itself does not cross the socket: the caller reads the
/// file (Services/README.md "JSON-RPC").
///
/// Application errors: `INVALID_QUERY` and `FORBIDDEN` as described in ``CoverAddress/Refusal``; `NOT_FOUND` if the host does not have the picture;
/// `PROVIDER_TIMEOUT`, `PROVIDER_ERROR` or `QUOTA_EXHAUSTED` if the host does not deliver it or sends something else; `SERVICE_UNAVAILABLE`, for
/// example if too many covers are being fetched or the picture cannot be stored.
package enum FetchCover: RPCMethod {
    package static let name = "covers.fetch"
    package static let isIdempotent = true
    /// The deadline, the same as for a search (http-api.md "Searches").
    package static let deadline = Duration.seconds(9)

    package struct Parameters: Codable, Sendable, Hashable {
        /// The picture's URL, see ``CoverAddress``.
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
        /// The picture's type, determined from its content.
        package var contentType: PictureType
        /// The file's length in bytes.
        package var bytes: Int

        package init(file: CoverName, contentType: PictureType, bytes: Int) {
            self.file = file
            self.contentType = contentType
            self.bytes = bytes
        }
    }
}

/// The sizes in which covers are served. ISBNdb's pictures are served in one size only.
package enum CoverSize: String, Codable, Sendable, CaseIterable {
    /// For lists, about 40 pixels wide at Open Library.
    case small
    /// For cards, about 180 pixels wide at Open Library.
    case medium
    /// The size to which cover URLs in responses refer.
    case large
}

/// The picture types that are served, determined from the first bytes and not from the host's declaration. The raw value is the media type.
package enum PictureType: String, Codable, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"

    /// Number of bytes that determine the type.
    package static let prefixLength = ImageType.prefixLength

    /// - Parameter bytes: A picture's first ``prefixLength`` bytes, or more.
    /// - Returns: nil for anything else.
    package init?(beginning bytes: some Collection<UInt8>) {
        switch ImageType(beginning: bytes) {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        case nil where ["GIF87a", "GIF89a"].contains { bytes.starts(with: $0.utf8) }: self = .gif
        case .heif, nil: return nil
        }
    }
}

/// Name of a cover's file in the data directory's `covers`: exactly 64 lower-case hexadecimal digits, so a valid name is safe to use in a
/// path, whatever its source.
package struct CoverName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Creates a name; nil if the text is not a valid one.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(SHA256Digest.hexadecimalDigits.contains) else { return nil }
        description = text
    }

    /// The name for a URL that already includes the size: the SHA-256 of the URL. Every process that has the URL can compute the name.
    init(hashing address: String) {
        description = SHA256.hash(data: Array(address.utf8)).hexadecimal
    }
}

extension CoverName: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = CoverName(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a cover name")
        }
        self = name
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
