import BookstrackContract
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import SuiteMethods

/// The reader's page: `GET /` for browsers, with its style and scripts below `/page/` (http-api.md "Routes").
///
/// The files are those in `Reader`, which are embedded in the program. The path of a file contains a hash of all of them, so that browsers
/// may keep it for ever and never combine files of two versions.
enum ReaderPage {
    static let rootPath = "/"
    static let filePath = "/page/{version}/{file}"

    static var routes: [Route] { [root, file] }

    /// Twelve hexadecimal digits of the files' hash.
    static let version = {
        var hash = SHA256()
        hash.update(data: PackageResources.reader_html)
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array(name.utf8))
            hash.update(data: file)
        }
        return String(hash.finalize().hexadecimal.prefix(12))
    }()

    private static let document = ByteBuffer(
        string: String(decoding: PackageResources.reader_html, as: UTF8.self).replacing("VERSION", with: version))

    /// Style and scripts by name.
    static let files: [String: [UInt8]] = [
        "adding.js": PackageResources.adding_js, "api.js": PackageResources.api_js,
        "book.js": PackageResources.book_js, "books.js": PackageResources.books_js,
        "covers.js": PackageResources.covers_js, "dom.js": PackageResources.dom_js,
        "downloads.js": PackageResources.downloads_js, "insights.js": PackageResources.insights_js,
        "jobcard.js": PackageResources.jobcard_js,
        "jobs.js": PackageResources.jobs_js, "jobview.js": PackageResources.jobview_js,
        "library.js": PackageResources.library_js, "live.js": PackageResources.live_js,
        "reader.css": PackageResources.reader_css, "reader.js": PackageResources.reader_js,
        "scan.js": PackageResources.scan_js, "shelf.js": PackageResources.shelf_js,
        "store.js": PackageResources.store_js,
    ]

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        + "base-uri 'none'; frame-ancestors 'none'"

    private static let root = Route(.get, rootPath) { request, _ in
        guard prefersHTML(request.headers[values: .accept]) else { throw notForBrowsers }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache", .vary: "Accept",
                StandardFields.securityPolicy: policy,
            ], body: .init(byteBuffer: document))
    }

    private static let file = Route(.get, filePath) { _, context in
        guard let name = context.parameters.get("file"), let file = files[name] else {
            throw APIFailure(.notFound, "The page has no such file.")
        }
        let isCurrent = context.parameters.get("version") == version
        return Response(
            status: .ok,
            headers: [
                .contentType: name.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
                .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
            ], body: .init(byteBuffer: ByteBuffer(bytes: file)))
    }

    private static let notForBrowsers = {
        var failure = APIFailure(
            .notFound, "This address is a page for browsers (Accept: text/html). See \(DescriptionRoutes.pagePath).")
        failure.fields = [
            .init(name: "Link", value: "<\(DescriptionRoutes.pagePath)>; rel=\"service-doc\""),
            .init(name: "Vary", value: "Accept"),
        ]
        return failure
    }()

    /// Whether `Accept` names HTML, and no less than JSON (RFC 9110 §12.5.1). A wildcard does not ask for a page.
    static func prefersHTML(_ accept: [String]) -> Bool {
        let ranges = accept.flatMap { $0.lowercased().split(separator: ",") }.map { range in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (type: parts.first ?? "", weight: weight ?? 1)
        }
        func weight(_ type: String) -> Double { ranges.filter { $0.type == type }.map(\.weight).max() ?? 0 }
        return weight("text/html") > 0 && weight("text/html") >= weight("application/json")
    }
}
