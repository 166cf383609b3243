import BookstrackContract
import CPages
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import SuiteMethods

/// A page that consists of several files embedded in the program.
///
/// Each file's URL contains a hash of all files, so browsers may cache the files and still load the new ones after an update.
struct EmbeddedPage: Sendable {
    /// The content security policy (CSP Level 3). It permits only files from the page's own server, requests to that server, and images that the page
    /// creates or fetches. The page cannot be framed.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        + "base-uri 'none'; frame-ancestors 'none'"

    /// Style sheets and scripts by name.
    let files: [String: EmbeddedFile]
    /// The first twelve hexadecimal digits of the hash of all files.
    let version: String
    /// The document, with the version in its links.
    let document: ByteBuffer

    /// - Parameters:
    ///   - folder: The folder in `Pages` whose files make up the page.
    ///   - document: Name of the HTML file in it, with `VERSION` as a placeholder for the version.
    ///   - shared: Paths of files of other pages that this one uses.
    init(folder: String, document: String, sharing shared: [String] = []) {
        let own = EmbeddedFile.all.filter { $0.path.hasPrefix(folder + "/") }
        let other = shared.compactMap(EmbeddedFile.init(path:))
        files = Dictionary(uniqueKeysWithValues: (own.filter { $0.name != document } + other).map { ($0.name, $0) })
        let text = own.first { $0.name == document }?.text ?? ""
        var hash = SHA256()
        hash.update(data: Array(text.utf8))
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array(name.utf8))
            hash.update(data: Array(file.text.utf8))
        }
        version = String(hash.finalize().hexadecimal.prefix(12))
        self.document = ByteBuffer(string: text.replacing("VERSION", with: version))
    }

    /// The document, with additional header `fields`.
    func answer(_ fields: HTTPFields) -> Response {
        var all: HTTPFields = [
            .contentType: "text/html; charset=utf-8", StandardFields.securityPolicy: Self.policy,
        ]
        all.append(contentsOf: fields)
        return Response(status: .ok, headers: all, body: .init(byteBuffer: document))
    }

    /// A route for the files, which is not rate-limited. `path` must have the parameters `version` and `file`.
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
                ], body: .init(byteBuffer: ByteBuffer(string: file.text)))
        }
    }
}

/// A file of a web page, embedded in the program (`Pages/Pages.c`).
struct EmbeddedFile: Sendable {
    /// The path in `Pages`: the page's folder, a slash, and the file's name.
    let path: String
    private let index: Int32

    static let all = Array(
        sequence(state: Int32(0)) { index in
            defer { index += 1 }
            return EmbeddedFile(index: index)
        })

    /// The file with this path; nil if there is none.
    init?(path: String) {
        guard let file = Self.all.first(where: { $0.path == path }) else { return nil }
        self = file
    }

    private init?(index: Int32) {
        guard let file = embedded_page_file(index) else { return nil }
        (path, self.index) = (String(cString: file.pointee.path), index)
    }

    var name: String { String(path.drop { $0 != "/" }.dropFirst()) }

    var text: String { embedded_page_file(index).map { String(cString: $0.pointee.text) } ?? "" }
}
