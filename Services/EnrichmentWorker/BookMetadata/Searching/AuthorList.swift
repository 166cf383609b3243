import BookstrackContract

/// Authors of several works, each once in the order of first mention (http-api.md "Routes").
struct AuthorList {
    private(set) var authors: [AuthorDTO] = []
    private var indexByName: [String: Int] = [:]

    /// Names that differ only in case, accents and punctuation are one; its Open Library key is the first that is given.
    mutating func add(_ added: [AuthorDTO]) {
        for author in added {
            let name = MatchKey.phrase(author.name)
            if let index = indexByName[name] {
                if authors[index].openLibraryID == nil { authors[index].openLibraryID = author.openLibraryID }
            } else {
                indexByName[name] = authors.count
                authors.append(author)
            }
        }
    }
}
