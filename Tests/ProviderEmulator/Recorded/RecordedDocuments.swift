/// The documents found in recorded answers, by kind and in the order in which they were found.
struct RecordedDocuments: Sendable {
    /// The value of one book in an answer to `jscmd=data`, with the key under which it stood.
    struct BookData: Sendable {
        let bibKey: String
        let value: JSONValue
    }

    private(set) var editions: [JSONValue] = []
    private(set) var works: [JSONValue] = []
    private(set) var authors: [JSONValue] = []
    private(set) var searchDocuments: [JSONValue] = []
    private(set) var data: [BookData] = []
    private(set) var volumes: [JSONValue] = []
    private(set) var isbndbBooks: [JSONValue] = []

    /// Looks through `value` and everything in it.
    mutating func collect(_ value: JSONValue) {
        switch value {
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members):
            if keep(value) { return }
            for member in members {
                if member.name.hasPrefix("ISBN:") {
                    data.append(BookData(bibKey: member.name, value: member.value))
                } else {
                    collect(member.value)
                }
            }
        default: break
        }
    }

    private mutating func keep(_ value: JSONValue) -> Bool {
        let key = value["key"]?.text ?? ""
        let type = value["type"]?["key"]?.text
        if value["kind"] == "books#volume", value["volumeInfo"] != nil {
            volumes.append(value)
        } else if key.hasPrefix("/books/"), type == "/type/edition" {
            editions.append(value)
        } else if key.hasPrefix("/works/"), type == "/type/work" {
            works.append(value)
        } else if key.hasPrefix("/authors/"), type == "/type/author" {
            authors.append(value)
        } else if key.hasSuffix("W"), value["title"] != nil, value["author_name"] != nil || value["isbn"] != nil {
            searchDocuments.append(value)
        } else if value["isbn13"] != nil, value["title_long"] != nil, value["book_id"] == nil {
            isbndbBooks.append(value)
        } else {
            return false
        }
        return true
    }
}
