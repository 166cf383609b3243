/// What became of a work that was merged or deleted; Open Library answers its key with status 200 all the same.
package enum RetiredWork: Hashable, Sendable {
    /// The key of the work it was merged into, for example `OL45804W`, which may be retired too.
    case merged(into: String)
    case deleted

    /// Nil for the record of a work.
    init?(_ node: JSONNode) {
        switch node["type"]?["key"]?.string {
        case "/type/redirect":
            self = node["location"]?.string.flatMap(OpenLibraryEntry.identifier).map { .merged(into: $0) } ?? .deleted
        case "/type/delete": self = .deleted
        default: return nil
        }
    }
}

/// A work as `/works/OL…W.json` and the works dump send it.
struct OpenLibraryWork {
    let key: String?
    let title: String?
    let subtitle: String?
    let authors: [OpenLibraryEntry]
    let firstPublishDate: String?
    let covers: [Int]
    let description: String?
    let subjects: [OpenLibraryEntry]
    let identifiers: OpenLibraryIdentifiers

    init(_ node: JSONNode) {
        key = node["key"]?.string
        title = OpenLibraryEdition.title(node["title"]?.string, after: node["title_prefix"]?.string)
        subtitle = node["subtitle"]?.string
        authors = node.list("authors", OpenLibraryEntry.init)
        firstPublishDate = node["first_publish_date"]?.string
        covers = node.list("covers", \.int)
        description = OpenLibraryEdition.text(node["description"])
        subjects = node.list("subjects", OpenLibraryEntry.init)
        identifiers = OpenLibraryIdentifiers(node["identifiers"])
    }
}
