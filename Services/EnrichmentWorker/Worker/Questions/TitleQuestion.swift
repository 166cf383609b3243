import BookMetadata

/// Title and author as a search asks for them: spaces and case do not tell two questions apart.
struct TitleQuestion: Sendable {
    let title: String
    /// Absent when the client names no author.
    let author: String?

    /// `nil` when the title is empty.
    init?(title: String?, author: String?) {
        guard let title = title.map(Self.tidy), !title.isEmpty else { return nil }
        self.title = title
        self.author = author.flatMap(PersonName.clean)
    }

    /// What is asked when no provider has the title by this author: the title alone. Nil when that was asked already.
    var withoutAuthor: TitleQuestion? { author == nil ? nil : TitleQuestion(title: title, author: nil) }

    var cacheKey: String { "\(title.lowercased())\u{1F}\((author ?? "").lowercased())" }

    private static func tidy(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension TitleQuestion: Hashable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.cacheKey == rhs.cacheKey }

    func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}
