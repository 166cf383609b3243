import Crypto
import Foundation
import HTTPTypes
import NIOCore

/// The page at `/docs`: one file without outside parts, which reads both documents and lets a developer try them.
///
/// Its policy admits exactly the style and the script below, by their hashes (CSP Level 3 §8.3), and requests to this server only.
enum DocsPage {
    static let body = ByteBuffer(string: text)

    static let fields: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .cacheControl: "public, max-age=300",
        StandardFields.securityPolicy: policy,
    ]

    private static let script = elementScript + orderScript + schemaScript + requestScript + socketScript + startScript

    /// The operations' identifiers as the catalogue lists them: a document's members have no order of their own.
    private static let orderScript =
        "const order = [" + OperationCatalogue.all.map { "\"\($0.id)\"" }.joined(separator: ", ") + "];\n"

    private static let text = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>BooksTrack API</title>
        <link rel="icon" href="data:,">
        <style>\(style)</style>
        </head>
        <body>
        \(markup)
        <script>\(script)</script>
        </body>
        </html>

        """

    private static let policy = [
        "default-src 'none'", "script-src '\(hash(script))'", "style-src '\(hash(style))'", "connect-src 'self'",
        "img-src data: blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    private static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
