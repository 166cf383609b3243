/// A request to the action API of Wikidata (https://www.wikidata.org/w/api.php).
enum WikidataRequest: Equatable, Sendable {
    struct Search: Equatable, Sendable {
        let text: String
        /// The language of labels and descriptions.
        let language: String
        /// Whether only names of that language are looked at.
        let isStrict: Bool
        let page: ResultPage
    }

    struct Selection: Equatable, Sendable {
        let ids: [String]
        /// Parts of an entity; nil for all of them.
        let parts: Set<String>?
        /// Nil for all of them.
        let languages: Set<String>?
    }

    case search(Search)
    case entities(Selection)
    case refused(WikidataError)
    /// Without `format=json` the answer is a page for people.
    case page
    case unknown

    private static let maximumIDs = 50

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        guard target.components == ["w", "api.php"] else {
            self = .unknown
            return
        }
        guard target["format"] == "json" else {
            self = .page
            return
        }
        switch target["action"] {
        case "wbsearchentities": self = Self.search(target)
        case "wbgetentities": self = Self.entities(target)
        case let action: self = .refused(.unknownAction(action ?? ""))
        }
    }

    /// What is asked about.
    var keys: [AskedKey] {
        switch self {
        case .search(let search): [.author(search.text.folded)]
        case .entities(let selection): selection.ids.map { .entity($0) }
        default: []
        }
    }

    private static func search(_ target: RequestTarget) -> Self {
        guard let text = target["search"], !text.isEmpty else { return .refused(.missing("search")) }
        guard let language = target["language"] else { return .refused(.missing("language")) }
        let strict = target["strictlanguage"].map { !["", "0", "false"].contains($0) } ?? false
        return .search(
            Search(
                text: text, language: language, isStrict: strict,
                page: ResultPage(
                    offset: target.count("continue", in: 0...10_000, standard: 0),
                    limit: target.count("limit", in: 1...50, standard: 7))))
    }

    private static func entities(_ target: RequestTarget) -> Self {
        guard let text = target["ids"], !text.isEmpty else { return .refused(.missing("ids")) }
        var ids: [String] = []
        for id in text.split(separator: "|") { ids.appendNew(String(id).uppercased()) }
        guard ids.count <= maximumIDs else { return .refused(.tooMany("ids", limit: maximumIDs)) }
        if let wrong = ids.first(where: { $0.wholeMatch(of: /[QP][1-9][0-9]*/) == nil }) {
            return .refused(.noSuchEntity(wrong))
        }
        return .entities(Selection(ids: ids, parts: set(target["props"]), languages: set(target["languages"])))
    }

    private static func set(_ text: String?) -> Set<String>? {
        text.map { Set($0.split(separator: "|").map(String.init)) }
    }
}
