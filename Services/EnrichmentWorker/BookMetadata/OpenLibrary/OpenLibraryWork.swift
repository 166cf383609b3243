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
        title = node["title"]?.string
        subtitle = node["subtitle"]?.string
        authors = node.list("authors", OpenLibraryEntry.init)
        firstPublishDate = node["first_publish_date"]?.string
        covers = node.list("covers", \.int)
        description = OpenLibraryEdition.text(node["description"])
        subjects = node.list("subjects", OpenLibraryEntry.init)
        identifiers = OpenLibraryIdentifiers(node["identifiers"])
    }
}
