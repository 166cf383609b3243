import BookstrackContract
import JSON

/// A work that was merged or deleted; Open Library nevertheless responds to its key with status 200.
package enum RetiredWork: Hashable, Sendable {
    /// The key of the work into which it was merged, for example `OL45804W`, which may itself be retired.
    case merged(into: String)
    /// The work was deleted, or was merged into a work whose key the record does not contain.
    case deleted

    /// Nil for the record of an existing work.
    init?(_ node: JSONNode) {
        switch node["type"]?["key"]?.string {
        case "/type/redirect":
            self = node["location"]?.string.flatMap(OpenLibraryEntry.identifier).map { .merged(into: $0) } ?? .deleted
        case "/type/delete": self = .deleted
        default: return nil
        }
    }
}

/// A work as in `/works/OL…W.json` and in Open Library's data dumps.
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

/// A name or a reference, for example to an author or a work: a string, an object, or, in the author lists of works, an object within an object.
struct OpenLibraryEntry {
    /// The name; absent if only a key is given.
    let name: String?
    /// The identifier in the key or URL, for example `OL26320A`.
    let key: String?

    init(_ node: JSONNode) {
        if let text = node.string {
            let isPath = text.utf8.first == UInt8(ascii: "/")
            key = isPath ? Self.identifier(in: text) : nil
            name = isPath ? nil : text
            return
        }
        let author = node["author"]
        let path = node["key"]?.string ?? author?["key"]?.string ?? author?.string ?? node["url"]?.string
        name = node["name"]?.string
        key = path.flatMap(Self.identifier)
    }

    /// The identifier, such as `OL26320A` in `/authors/OL26320A` and in `https://openlibrary.org/authors/OL26320A/Frank_Herbert`.
    static func identifier(in path: String) -> String? {
        path.split(separator: "/").first(where: isIdentifier).map(String.init)
    }

    private static func isIdentifier(_ part: Substring) -> Bool {
        guard part.utf8.starts(with: "OL".utf8), let kind = part.last, "AMW".contains(kind) else { return false }
        let number = part.dropFirst(2).dropLast()
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension WorkRecord {
    /// Normalizes a work record; `nil` without a work key.
    init?(_ work: OpenLibraryWork) {
        guard let key = work.key.flatMap(OpenLibraryEntry.identifier) else { return nil }
        self.init(provider: .openLibrary, key: key)
        title = ProviderDocument.line(work.title)
        subtitle = ProviderDocument.line(work.subtitle)
        authors = AuthorCredit.unique(
            work.authors.compactMap { entry in
                entry.name.flatMap { AuthorCredit(name: $0, openLibraryKey: entry.key) }
            })
        authorKeys = work.authors.filter { $0.name == nil }.compactMap(\.key).uniqued()
        firstPublicationYear = work.firstPublishDate.flatMap(PublicationDate.year)
        cover = work.covers.lazy.compactMap(CoverImage.openLibrary(id:)).first
        description = work.description.flatMap(PlainText.from)
        subjects = work.subjects.compactMap(\.name)
        let identifiers = work.identifiers.goodreads.uniqued()
        if !identifiers.isEmpty { goodreadsIDs = identifiers }
    }

    /// Normalizes a search result; `nil` without a work key.
    init?(_ document: OpenLibrarySearchDocument) {
        guard let key = document.key.flatMap(OpenLibraryEntry.identifier) else { return nil }
        self.init(provider: .openLibrary, key: key)
        title = ProviderDocument.line(document.title)
        subtitle = ProviderDocument.line(document.subtitle)
        // Names and keys are parallel lists; they cannot be paired if their lengths differ.
        let isParallel = document.authorNames.count == document.authorKeys.count
        authors = AuthorCredit.unique(
            document.authorNames.enumerated().compactMap { index, name in
                AuthorCredit(name: name, openLibraryKey: isParallel ? document.authorKeys[index] : nil)
            })
        firstPublicationYear = document.firstPublishYear.flatMap(PublicationDate.plausible)
        cover = document.coverID.flatMap(CoverImage.openLibrary(id:))
        subjects = document.subjects
        statedISBNs = document.isbns
        representativeEditionKey = document.coverEditionKey.flatMap(OpenLibraryEntry.identifier)
        bestEdition = document.bestEdition.flatMap { EditionRecord($0, of: key) }
    }
}
