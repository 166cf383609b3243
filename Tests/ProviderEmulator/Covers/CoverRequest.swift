import BookIdentifiers

/// A request to one of the hosts that keep pictures of covers. All of them are below the one prefix.
enum CoverRequest: Equatable, Sendable {
    enum Picture: Hashable, Sendable {
        /// `/b/id/{n}-{S|M|L}.jpg` (https://openlibrary.org/dev/docs/api/covers)
        case number(Int)
        /// `/b/isbn/{isbn}-{S|M|L}.jpg`
        case openLibrary(ISBN)
        /// `/books/content?id={volume}&zoom={n}`, as at books.google.com
        case volume(String)
        /// `/covers/{2}/{2}/{isbn}.jpg`, as at images.isbndb.com
        case isbndb(ISBN)
    }

    struct Asked: Equatable, Sendable {
        let picture: Picture
        let size: CoverSize
        /// Whether something is shown for a cover that there is not.
        let hasStandIn: Bool
        /// Whether this is where the first answer redirected to.
        let isArchive: Bool
    }

    case picture(Asked)
    case unknown

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        let path = target.components
        let hasStandIn = target["default"] != "false"
        func asked(_ picture: Picture, _ size: CoverSize, isArchive: Bool = false) -> Self {
            .picture(Asked(picture: picture, size: size, hasStandIn: hasStandIn, isArchive: isArchive))
        }
        if path == ["books", "content"], let id = target["id"] {
            self = asked(.volume(id), CoverSize(zoom: target["zoom"]))
        } else if path.count == 4, path[0] == "covers", let isbn = ISBN(String(path[3].prefix { $0 != "." })) {
            self = asked(.isbndb(isbn), .large)
        } else if let (name, size) = Self.file(path.last), path.starts(with: ["b", "id"]), let number = Int(name) {
            self = asked(.number(number), size)
        } else if let (name, size) = Self.file(path.last), path.starts(with: ["b", "isbn"]), let isbn = ISBN(name) {
            self = asked(.openLibrary(isbn), size)
        } else if let (name, size) = Self.file(path.last), path.first == "archive", let number = Int(name) {
            self = asked(.number(number), size, isArchive: true)
        } else {
            self = .unknown
        }
    }

    /// What is asked about.
    var keys: [AskedKey] {
        guard case .picture(let asked) = self else { return [] }
        return switch asked.picture {
        case .number(let number): [.cover(String(number))]
        case .volume(let id): [.cover(id)]
        case .openLibrary(let isbn), .isbndb(let isbn): [.isbn(isbn)]
        }
    }

    /// `240727-S.jpg`
    private static func file(_ name: String?) -> (String, CoverSize)? {
        guard let name, name.hasSuffix(".jpg") else { return nil }
        let parts = name.dropLast(".jpg".count).split(separator: "-")
        guard parts.count == 2, let size = CoverSize(rawValue: String(parts[1])) else { return nil }
        return (String(parts[0]), size)
    }
}
