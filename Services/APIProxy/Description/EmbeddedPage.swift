import BookstrackContract
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import SuiteMethods

/// A page that consists of several files embedded in the program.
///
/// Each file's path contains a hash of all files, so browsers may cache the files forever and never combine files from different versions.
struct EmbeddedPage: Sendable {
    /// The content security policy (CSP Level 3). It permits only files from and requests to the page's own server, and images that the page creates
    /// or fetches. The page cannot be framed.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        + "base-uri 'none'; frame-ancestors 'none'"

    /// Style sheets and scripts by name.
    let files: [String: [UInt8]]
    /// The first twelve hexadecimal digits of the hash of all files.
    let version: String
    /// The document, with the version in its links.
    let document: ByteBuffer

    /// - Parameter document: HTML with `VERSION` as a placeholder for the version.
    init(document: [UInt8], files: [String: [UInt8]]) {
        var hash = SHA256()
        hash.update(data: document)
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array(name.utf8))
            hash.update(data: file)
        }
        let version = String(hash.finalize().hexadecimal.prefix(12))
        self.files = files
        self.version = version
        self.document = ByteBuffer(
            string: String(decoding: document, as: UTF8.self).replacing("VERSION", with: version))
    }

    /// The document, with additional header `fields`.
    func answer(_ fields: HTTPFields) -> Response {
        var all: HTTPFields = [
            .contentType: "text/html; charset=utf-8", StandardFields.securityPolicy: Self.policy,
        ]
        all.append(contentsOf: fields)
        return Response(status: .ok, headers: all, body: .init(byteBuffer: document))
    }

    /// A route for the files. It is not rate-limited, and `path` has the parameters `version` and `file`.
    func fileRoute(_ path: String) -> Route {
        Route(.get, path, limit: .exempt) { _, context in
            guard let name = context.parameters.get("file"), let file = files[name] else {
                throw APIFailure(.notFound, "The page has no such file.")
            }
            let isCurrent = context.parameters.get("version") == version
            return Response(
                status: .ok,
                headers: [
                    .contentType: name.hasSuffix(".css")
                        ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
                    .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
                ], body: .init(byteBuffer: ByteBuffer(bytes: file)))
        }
    }
}
