import BookMetadata

/// What a search asks a provider for; spaces and case do not tell two questions apart.
struct SearchQuestion: Sendable {
    /// What the provider is to look at.
    enum Text: Sendable {
        /// Words of title, subtitle or author, as typed.
        case words(String)
        /// Title, author or both, each in its own field.
        case fields(title: String?, author: String?)
        /// The works of everybody with this name.
        case worksOf(author: String, offset: Int, order: AuthorWorksOrder?)
    }

    let text: Text
    /// Most results of the answer.
    let limit: Int

    init(_ text: Text, limit: Int) {
        self.text = text
        self.limit = limit
    }

    var cacheKey: String {
        let parts: [String] =
            switch text {
            case .words(let words): ["words", words]
            case .fields(let title, let author): ["fields", title ?? "", author ?? ""]
            case .worksOf(let author, let offset, let order): ["author", author, "\(offset)", order?.rawValue ?? ""]
            }
        return (["\(limit)"] + parts).map { $0.lowercased() }.joined(separator: "\u{1F}")
    }
}

extension SearchQuestion: Hashable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.cacheKey == rhs.cacheKey }

    func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}
