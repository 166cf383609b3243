import Crypto
import Foundation
import HTTPTypes
import NIOCore

/// The page at `/docs`: one self-contained HTML document that loads both descriptions and lets developers try requests.
///
/// The page is assembled from the files in `Pages/Docs`, which are embedded in the program. Its content security policy (CSP Level 3) allows only the
/// style sheet and the script below, identified by their hashes, requests to this server, and images that the page creates.
enum DocsPage {
    static let body = ByteBuffer(
        string: text("page.html")
            .replacing("/* style.css */", with: style).replacing("/* scripts */", with: script))

    static let fields: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .cacheControl: "public, max-age=300",
        StandardFields.securityPolicy: policy,
    ]

    /// The style sheet, without the line break at the end of the file.
    private static let style = String(text("style.css").dropLast())

    private static let script = [
        // Building blocks. Text is inserted as text nodes, never as markup.
        text("elements.js"),
        order,
        // Schemas as lists of members; named ones expand on demand, so recursive ones do not expand forever.
        text("schemas.js"),
        // Operations and their requests.
        text("requests.js"),
        // The progress socket: its frames, and messages to it.
        text("socket.js"),
        // Reads both documents and assembles the page.
        text("start.js"),
    ].joined()

    /// The operation IDs in the order of `OperationCatalog`, because the members of a JSON object have no order.
    private static let order =
        "const order = [" + OperationCatalog.all.map { "\"\($0.id)\"" }.joined(separator: ", ") + "];\n"

    private static let policy = [
        "default-src 'none'", "script-src '\(hash(script))'", "style-src '\(hash(style))'", "connect-src 'self'",
        "img-src data: blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    private static func text(_ name: String) -> String { EmbeddedFile(path: "Docs/" + name)?.text ?? "" }

    private static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
