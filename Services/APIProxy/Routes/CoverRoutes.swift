import BookstrackContract
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Observability
import ServiceKit
import SuiteMethods

/// `GET /images/proxy`: cover images of the providers, served by this API so that clients may load and cache them.
struct CoverRoutes: Sendable {
    static let path = "/images/proxy"

    /// Allows caching for 30 days, because the image at a URL hardly ever changes.
    private static let cacheControl = "public, max-age=2592000, immutable"
    private static let resourcePolicy = HTTPField.Name.known("Cross-Origin-Resource-Policy")

    let link: CoverLink

    var routes: [Route] {
        [
            Route(.get, Self.path, limit: .search) { request, _ in
                let items = QueryItems(uri: request.uri.description)
                guard let address = items["url"], !address.isEmpty else {
                    throw SearchParameters.refusal("url", "is missing")
                }
                let file = try await link.find(address, try Self.size(items))
                return try await answer(file, to: request)
            }
        ]
    }

    private static func size(_ items: QueryItems) throws(APIFailure) -> CoverSize {
        guard let text = items["size"] else { return .medium }
        guard let size = CoverSize(rawValue: text) else {
            let sizes = CoverSize.allCases.map(\.rawValue).joined(separator: ", ")
            throw SearchParameters.refusal("size", "must be one of \(sizes)")
        }
        return size
    }

    private func answer(_ file: CoverFile, to request: Request) async throws -> Response {
        let tag = try await link.threads.runIfActive { try EntityTag(of: file) }
        var fields: HTTPFields = [
            .cacheControl: Self.cacheControl, .eTag: tag.description, Self.resourcePolicy: "cross-origin",
            .vary: "Accept",
        ]
        guard !tag.matches(request.headers[.ifNoneMatch]) else {
            return Response(status: .notModified, headers: fields)
        }
        fields[.contentType] = StandardFields.imageType(file.type.rawValue, for: request.headers)
        let body = ResponseBody(length: file.bytes, readOn: link.threads) { offset, count in
            ByteBuffer(bytes: try file.read(at: offset, upTo: count))
        }
        return Response(status: .ok, headers: fields, body: body)
    }
}

/// Finds covers in the data directory, and requests only missing ones from enrichment-worker, so stored covers are served even while the worker is
/// down.
///
/// Only the worker writes to the directory. It is notified when a stored cover is used, and marks the cover as used.
struct CoverLink: Sendable {
    /// Maximum number of fetches per request: a cover may be evicted after the worker's response and before its file is opened, but twice in a row
    /// only if the maximum size of the covers is too small.
    private static let tries = 2
    /// Maximum number of concurrent notifications. If it is reached, a use is reported with the next request for the cover.
    private static let usesAtOnce = 4

    let workers: WorkerLinks
    /// The directory in which the worker stores covers.
    let directory: String
    let threads: NIOThreadPool
    private let clock: any SuiteClock
    private let reported = NIOLockedValueBox<Set<CoverName>>([])

    init(
        workers: WorkerLinks, directory: String, threads: NIOThreadPool = .singleton,
        clock: any SuiteClock = SystemClock()
    ) {
        self.workers = workers
        self.directory = directory
        self.threads = threads
        self.clock = clock
    }

    /// Opens a cover in the directory, after a fetch by the worker if it is not there.
    ///
    /// - Parameter address: The cover's URL as the client sent it.
    /// - Throws: `APIFailure` for a URL that is not served, if the worker is down or too slow, or if the cover was evicted after each fetch before it
    ///   was opened; the worker's own `RPCError`.
    func find(_ address: String, _ size: CoverSize) async throws -> CoverFile {
        let name: CoverName
        do throws(CoverAddress.Refusal) {
            name = try CoverAddress(address).name(size)
        } catch {
            throw APIFailure(error.code, error.message, details: ["parameter": .text("url")])
        }
        if let file = try await open(name) {
            if file.isUseDue(at: clock.date) { reportUse(of: name, .init(url: address, size: size)) }
            return file
        }
        for _ in 0..<Self.tries {
            let fetched = try await fetch(.init(url: address, size: size))
            if let file = try await open(fetched.file) { return file }
        }
        throw APIFailure.coversUnavailable
    }

    private func open(_ name: CoverName) async throws -> CoverFile? {
        try await threads.runIfActive { [directory] in CoverFile(name, in: directory) }
    }

    /// Notifies the worker that a cover was used, about once an hour per cover (`CoverFile`). No request waits for this. While the worker is down,
    /// only the order of eviction is affected.
    private func reportUse(of name: CoverName, _ parameters: FetchCover.Parameters) {
        let isNew = reported.withLockedValue { $0.count < Self.usesAtOnce && $0.insert(name).inserted }
        guard isNew else { return }
        Activity.$current.withValue(nil) {
            _ = Task { [workers, reported] in
                _ = try? await workers.call(FetchCover.self, parameters)
                reported.withLockedValue { _ = $0.remove(name) }
            }
        }
    }

    private func fetch(_ parameters: FetchCover.Parameters) async throws -> FetchCover.Result {
        do throws(RPCError) {
            return try await workers.call(FetchCover.self, parameters)
        } catch {
            guard error.applicationCode == nil else { throw error }
            if case .deadlineExceeded = error.kind {
                throw APIFailure(.providerTimeout, "The cover's host did not respond in time.")
            }
            throw APIFailure.coversUnavailable
        }
    }
}

extension APIFailure {
    /// The cover is not stored, and enrichment-worker cannot provide it.
    fileprivate static let coversUnavailable = APIFailure(
        .serviceUnavailable, "The cover is temporarily unavailable. Please try again.", retryAfter: 2)
}

/// An entity tag (RFC 9110 §8.8.3).
struct EntityTag: Equatable, CustomStringConvertible {
    /// Number of bytes that are read at a time.
    private static let part = 256 << 10

    /// The tag with its quotation marks.
    let description: String

    /// A weak tag: two responses with the same tag are equivalent, but not necessarily identical byte for byte.
    init(weak text: String) { description = "W/\"\(text)\"" }

    /// A strong tag, derived from the image's bytes, since after an eviction the same URL may return another image. Blocks on the
    /// disk.
    ///
    /// - Throws: `POSIXError`.
    init(of file: CoverFile) throws(POSIXError) {
        var hash = SHA256()
        var offset = 0
        while offset < file.bytes {
            let bytes = try file.read(at: offset, upTo: Self.part)
            guard !bytes.isEmpty else { throw POSIXError(.EIO) }
            hash.update(data: bytes)
            offset += bytes.count
        }
        description = "\"\(hash.finalize().hexadecimal.prefix(32))\""
    }

    /// Whether `If-None-Match` contains this tag, by weak comparison, or `*` (RFC 9110 §13.1.2). This API's tags contain no commas.
    func matches(_ field: String?) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { item in
            let tag = item.trimmingCharacters(in: .whitespaces)
            return tag == "*" || Self.opaque(tag) == Self.opaque(description)
        }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
