import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import ServiceKit
import SuiteMethods

/// `GET /images/proxy`: pictures of covers, from a place that clients may load them from and keep them.
struct CoverRoutes: Sendable {
    static let path = "/images/proxy"
    /// The type for clients that ask for it: generated ones read it as bytes, and know no images.
    static let anyBytes = "application/octet-stream"

    /// Bytes that are read and sent at a time.
    private static let part = 64 << 10
    /// A picture does not change under its address.
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
        fields[.contentType] = request.headers[.accept] == Self.anyBytes ? Self.anyBytes : file.type.rawValue
        // Said here too because the answer to HEAD has no body that could say it.
        fields[.contentLength] = "\(file.bytes)"
        return Response(status: .ok, headers: fields, body: Self.body(file, link.threads))
    }

    private static func body(_ file: CoverFile, _ threads: NIOThreadPool) -> ResponseBody {
        ResponseBody(contentLength: file.bytes) { writer in
            var offset = 0
            while offset < file.bytes {
                let start = offset
                let bytes = try await threads.runIfActive { try file.read(at: start, upTo: part) }
                // Ends the connection: less than was promised must not look complete.
                guard !bytes.isEmpty else { throw POSIXError(.EIO) }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += bytes.count
            }
            try await writer.finish(nil)
        }
    }
}
