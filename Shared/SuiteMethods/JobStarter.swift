package import BookstrackContract
package import Crypto
package import JSONRPC
import Observability

/// Passes a validated start request to progress-host, in one call or page by page (Services/README.md "JSON-RPC").
package struct JobStarter: Sendable {
    private let host: RPCClient

    package init(host: RPCClient) { self.host = host }

    /// Starts a batch enrichment, or finds the job that the same request started earlier.
    ///
    /// - Throws: ``RPCError``.
    package func start(_ jobId: JobID, items: [BookQuery], origin: JobOrigin) async throws(RPCError) -> CreatedJob {
        Activity.current?.concern(job: jobId.text)
        // A draft belongs to the connection on which it was begun.
        guard let connection = host.connection else { throw .notConnected }
        let digest = JobDigest.of(items)
        let pages = ItemPages.split(items)
        guard pages.count > 1 else {
            return try await connection.call(
                CreateJob.self,
                .init(jobId: jobId, pipeline: .batchEnrichment, digest: digest, items: items, origin: origin))
        }
        let draft = try await connection.call(
            BeginDraft.self,
            .init(
                jobId: jobId, pipeline: .batchEnrichment, digest: digest, totalCount: items.count, origin: origin))
        for page in pages {
            _ = try await connection.call(AppendToDraft.self, .init(draftId: draft.draftId, items: page))
        }
        return try await connection.call(SubmitDraft.self, .init(draftId: draft.draftId))
    }
}

/// Splits a job's items into lists that fit into an RPC frame (Services/README.md "JSON-RPC").
package enum ItemPages {
    /// Maximum number of bytes of items in one frame; this leaves room below 1 MiB for the rest of the call.
    package static let pageBytes = 960 * 1_024

    /// Splits the items, in order, into pages of up to `pageBytes`; a larger item has a page of its own.
    package static func split(_ items: [BookQuery], pageBytes: Int = pageBytes) -> [[BookQuery]] {
        var pages: [[BookQuery]] = []
        var page: [BookQuery] = []
        var size = 0
        for item in items {
            let length = jsonLength(of: item)
            if size + length > pageBytes, !page.isEmpty {
                pages.append(page)
                page = []
                size = 0
            }
            page.append(item)
            size += length
        }
        return pages + [page]
    }

    /// An upper bound for the length of the item's JSON text and the following comma.
    package static func jsonLength(of item: BookQuery) -> Int {
        let texts = [item.title, item.author, item.isbn, item.workId].compactMap(\.self)
        // Braces and commas, plus a quoted name of at most 6 letters, a colon and quotes for each member.
        return texts.reduce(item.row == nil ? 3 : 3 + rowLength) { $0 + 12 + escapedLength(of: $1) }
    }

    /// Maximum length of the row number with its name.
    private static let rowLength = 27

    private static func escapedLength(of text: String) -> Int {
        text.utf8.reduce(0) { length, byte in
            switch byte {
            case 0..<0x20: length + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): length + 2
            default: length + 1
            }
        }
    }
}

/// Determines whether two start requests are for the same books (http-api.md "Starting a job").
///
/// Every process that starts jobs uses this rule, so equal lists have equal digests, whichever process receives them.
package enum JobDigest {
    /// SHA-256, in hexadecimal, of every row's title, author, ISBN and work identifier. Each is preceded by its length, so different lists never
    /// result in the same text.
    package static func of(_ items: [BookQuery]) -> String {
        var hash = SHA256()
        for item in items {
            for member in [item.title, item.author, item.isbn, item.workId] {
                let bytes = Array((member ?? "").utf8)
                let length = member == nil ? UInt32.max : UInt32(bytes.count)
                withUnsafeBytes(of: length.bigEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: bytes)
            }
        }
        return hash.finalize().hexadecimal
    }
}

extension JobID {
    /// The identifier of a job that a client starts with its own key: the same for equal keys of one client, and different from the identifiers of
    /// other clients (http-api.md "One book").
    package static func derived(from key: String, of client: String) -> JobID {
        // Neither contains a space, the separator: a key consists of identifier characters, and ``JobOrigin/client`` of hexadecimal digits and
        // colons.
        let digest = SHA256.hash(data: Array("book \(client) \(key)".utf8))
        guard let id = JobID(digest.hexadecimal) else { preconditionFailure("64 digits are an identifier") }
        return id
    }
}

extension SHA256Digest {
    static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    /// The digest as 64 lower-case hexadecimal digits.
    package var hexadecimal: String {
        let text = flatMap { [Self.hexadecimalDigits[Int($0 >> 4)], Self.hexadecimalDigits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
