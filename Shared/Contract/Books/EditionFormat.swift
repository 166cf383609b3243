/// How an edition is bound or delivered. The contract's five values and no others (metadata.md "Books").
public enum EditionFormat: String, Codable, Sendable, CaseIterable {
    case hardcover = "Hardcover"
    case paperback = "Paperback"
    case ebook = "E-book"
    case audiobook = "Audiobook"
    case massMarket = "Mass Market"
}
