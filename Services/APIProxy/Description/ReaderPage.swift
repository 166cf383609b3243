import BookstrackContract
import HTTPTypes
import Hummingbird

/// The page for readers: served to browsers at `GET /`, with its style sheets and scripts under `/page/` (http-api.md "Routes").
///
/// The files are in `Pages/Reader`. Requests for them are not rate-limited, because one visit causes more than twenty of them, and several people
/// may share an address.
enum ReaderPage {
    static let rootPath = "/"
    static let filePath = "/page/{version}/{file}"

    static var routes: [Route] { [root, page.fileRoute(filePath)] }

    static let page = EmbeddedPage(folder: "Reader", document: "reader.html")

    private static let root = Route(.get, rootPath, limit: .exempt) { request, _ in
        guard prefersHTML(request.headers[values: .accept]) else { throw notForBrowsers }
        return page.answer([.cacheControl: "no-cache", .vary: "Accept"])
    }

    private static let notForBrowsers = {
        var failure = APIFailure(
            .notFound,
            "This address is a page for browsers (Accept: text/html). The API is described at \(DescriptionRoutes.pagePath)."
        )
        failure.fields = [.known("Link"): "<\(DescriptionRoutes.pagePath)>; rel=\"service-doc\"", .vary: "Accept"]
        return failure
    }()

    /// Whether `Accept` includes HTML with at least the weight of JSON (RFC 9110 §12.5.1). Wildcards do not count as HTML.
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
