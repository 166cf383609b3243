import BookIdentifiers
import NIOCore
import NIOHTTP1

/// Answers as the cover hosts would. Requests by number for two in five of Open Library's covers (number modulo 5 is 0 or 1) are redirected to an
/// archive under the same prefix, as the real service redirects to archive.org.
struct CoverAPI: Sendable {
    let catalog: CoverCatalog

    /// - Parameter base: Base URL of the emulated hosts, for redirects.
    func answer(_ request: CoverRequest, _ substitutions: Substitutions, base: String) -> Answer {
        guard case .picture(let asked) = request else { return Self.notFound }
        let substitution = request.keys.first.flatMap { substitutions[$0] }
        guard substitution != .missing, catalog.has(asked.picture) else {
            return asked.hasStandIn ? Self.standIn : Self.notFound
        }
        if case .number(let number) = asked.picture, Self.isArchived(number), !asked.isArchive {
            return .redirect(to: "\(base)/archive/download/covers/\(number)-\(asked.size.rawValue).jpg")
        }
        return picture(asked.picture, asked.size, isOther: substitution == .wrongBook)
    }

    static func isArchived(_ number: Int) -> Bool { number % 5 < 2 }

    private static let notFound = Answer.text("not found", status: .notFound, type: "text/html")

    /// A transparent pixel, Open Library's placeholder for missing covers.
    private static let standIn = Answer(
        body: ByteBuffer(
            bytes: Array("GIF89a".utf8) + [
                1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 4, 1, 0, 0, 0, 0,
            ]
                + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]), type: "image/gif")

    private func picture(_ picture: CoverRequest.Picture, _ size: EmulatedCoverSize, isOther: Bool) -> Answer {
        let comment = "\(isOther ? "another " : "")\(picture) \(size)"
        let hash = StableHash.of(comment)
        let image = SmallJPEG(
            width: size.width, height: size.height, shade: 1 + Int((hash >> 32) % 127), comment: comment)
        return Answer(
            headers: ["Cache-Control": "public, max-age=86400", "ETag": "\"\(String(hash, radix: 16))\""],
            body: ByteBuffer(bytes: image.bytes), type: "image/jpeg")
    }
}

/// A request to one of the cover hosts, which all have the same prefix.
enum CoverRequest: Equatable, Sendable {
    enum Picture: Hashable, Sendable {
        /// `/b/id/{n}-{S|M|L}.jpg` (https://openlibrary.org/dev/docs/api/covers)
        case number(Int)
        /// `/b/isbn/{isbn}-{S|M|L}.jpg`
        case openLibrary(ISBN)
        /// `/books/content?id={volume}&zoom={n}`, as at books.google.com
        case volume(String)
        /// `/covers/{two digits}/{two digits}/{isbn}.jpg`, as at images.isbndb.com
        case isbndb(ISBN)
    }

    struct Asked: Equatable, Sendable {
        let picture: Picture
        let size: EmulatedCoverSize
        /// Whether a placeholder is returned for a missing cover.
        let hasStandIn: Bool
        /// Whether this is the target of a redirect.
        let isArchive: Bool
    }

    case picture(Asked)
    case unknown

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        let path = target.components
        let hasStandIn = target["default"] != "false"
        func asked(_ picture: Picture, _ size: EmulatedCoverSize, isArchive: Bool = false) -> Self {
            .picture(Asked(picture: picture, size: size, hasStandIn: hasStandIn, isArchive: isArchive))
        }
        if path == ["books", "content"], let id = target["id"] {
            self = asked(.volume(id), EmulatedCoverSize(zoom: target["zoom"]))
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

    var keys: [AskedKey] {
        guard case .picture(let asked) = self else { return [] }
        return switch asked.picture {
        case .number(let number): [.cover(String(number))]
        case .volume(let id): [.cover(id)]
        case .openLibrary(let isbn), .isbndb(let isbn): [.isbn(isbn)]
        }
    }

    /// Parses a file name such as `240727-S.jpg`; nil for any other name.
    private static func file(_ name: String?) -> (String, EmulatedCoverSize)? {
        guard let name, name.hasSuffix(".jpg") else { return nil }
        let parts = name.dropLast(".jpg".count).split(separator: "-")
        guard parts.count == 2, let size = EmulatedCoverSize(rawValue: String(parts[1])) else { return nil }
        return (String(parts[0]), size)
    }
}

/// The sizes of Open Library's cover files, and their equivalents on the other hosts.
enum EmulatedCoverSize: String, Sendable {
    case small = "S"
    case medium = "M"
    case large = "L"

    /// The width in pixels.
    var width: Int {
        switch self {
        case .small: 40
        case .medium: 180
        case .large: 480
        }
    }

    var height: Int { width * 3 / 2 }

    /// The size for a value of Google's `zoom` parameter.
    init(zoom: String?) {
        switch zoom {
        case "5": self = .small
        case "3", "0", "4", "6": self = .large
        default: self = .medium
        }
    }
}

/// The covers that the hosts have, by each kind of address.
struct CoverCatalog: Sendable {
    private let numbers: Set<Int>
    private let numbersByISBN: [ISBN: Int]
    private let volumes: Set<String>
    private let isbndb: Set<ISBN>

    init(_ stock: Stock) {
        numbers = Set(stock.editions.compactMap(\.coverID) + stock.works.compactMap(\.coverID))
        numbersByISBN = Dictionary(
            stock.editions.flatMap { edition in
                edition.isbns.compactMap { isbn in edition.coverID.map { (isbn, $0) } }
            }, uniquingKeysWith: { first, _ in first })
        volumes = Set(stock.volumes.map(\.id))
        isbndb = Set(stock.isbndbBooks.flatMap(\.isbns))
    }

    func has(_ picture: CoverRequest.Picture) -> Bool {
        switch picture {
        case .number(let number): numbers.contains(number)
        case .openLibrary(let isbn): numbersByISBN[isbn] != nil
        case .volume(let id): volumes.contains(id)
        case .isbndb(let isbn): isbndb.contains(isbn)
        }
    }
}
