/// The hosts that answers of the API point at for covers (metadata.md "Mapping").
package enum CoverHost: String, Sendable, CaseIterable {
    case openLibrary = "covers.openlibrary.org"
    case googleBooks = "books.google.com"
    case googleContent = "books.googleusercontent.com"
    case isbndb = "images.isbndb.com"

    /// The path and query under which the host has the picture in a size.
    func path(_ path: String, _ size: CoverSize) -> String {
        switch self {
        case .openLibrary: Self.openLibraryPath(path, size)
        case .googleBooks, .googleContent: Self.googlePath(path, size)
        case .isbndb: path
        }
    }

    /// `/b/id/240727-L.jpg` (https://openlibrary.org/dev/docs/api/covers). A query changes nothing about a picture that there is.
    private static func openLibraryPath(_ path: String, _ size: CoverSize) -> String {
        let path = path.prefix { $0 != "?" }
        guard let dot = path.lastIndex(of: "."), path[dot...].allSatisfy({ $0 != "/" }) else { return String(path) }
        let stem = path[..<dot]
        let isSized = ["-S", "-M", "-L"].contains { stem.hasSuffix($0) }
        let letter =
            switch size {
            case .small: "S"
            case .medium: "M"
            case .large: "L"
            }
        return "\(isSized ? stem.dropLast(2) : stem)-\(letter)\(path[dot...])"
    }

    /// `/books/content?id=…&zoom=3`, without the turned-up corner of `edge=curl`.
    private static func googlePath(_ path: String, _ size: CoverSize) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = (parts.count > 1 ? parts[1].split(separator: "&") : []).filter {
            !["zoom", "edge"].contains($0.prefix { $0 != "=" })
        }
        let zoom =
            switch size {
            case .small: 5
            case .medium: 1
            case .large: 3
            }
        return "\(parts[0])?\((items + ["zoom=\(zoom)"]).joined(separator: "&"))"
    }
}
