import NIOCore
import NIOHTTP1

/// Answers as the hosts of covers would. Two of five of Open Library's pictures, those whose numbers leave 0 or 1 when divided by five,
/// are redirected to an archive below the same prefix, as the real ones are to archive.org.
struct CoverAPI: Sendable {
    let shelf: CoverShelf

    /// - Parameter base: The emulated hosts' own base URL, for redirects.
    func answer(_ request: CoverRequest, _ substitutions: Substitutions, base: String) -> Answer {
        guard case .picture(let asked) = request else { return Self.notFound }
        let substitution = request.keys.first.flatMap { substitutions[$0] }
        guard substitution != .missing, shelf.has(asked.picture) else {
            return asked.hasStandIn ? Self.standIn : Self.notFound
        }
        if case .number(let number) = asked.picture, Self.isArchived(number), !asked.isArchive {
            return .redirect(to: "\(base)/archive/download/covers/\(number)-\(asked.size.rawValue).jpg")
        }
        return picture(asked.picture, asked.size, isOther: substitution == .wrongBook)
    }

    static func isArchived(_ number: Int) -> Bool { number % 5 < 2 }

    private static let notFound = Answer.text("not found", status: .notFound, type: "text/html")

    /// A transparent point, as Open Library shows it for covers that it has not.
    private static let standIn = Answer(
        body: ByteBuffer(
            bytes: Array("GIF89a".utf8) + [
                1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 4, 1, 0, 0, 0, 0,
            ]
                + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]), type: "image/gif")

    private func picture(_ picture: CoverRequest.Picture, _ size: CoverSize, isOther: Bool) -> Answer {
        let comment = "\(isOther ? "another " : "")\(picture) \(size)"
        let hash = StableHash.of(comment)
        let image = SmallJPEG(
            width: size.width, height: size.height, shade: 1 + Int((hash >> 32) % 127), comment: comment)
        return Answer(
            headers: ["Cache-Control": "public, max-age=86400", "ETag": "\"\(String(hash, radix: 16))\""],
            body: ByteBuffer(bytes: image.bytes), type: "image/jpeg")
    }
}
