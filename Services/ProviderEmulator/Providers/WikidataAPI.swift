import NIOCore
import NIOHTTP1

/// Answers as Wikidata would.
struct WikidataAPI: Sendable {
    let catalog: WikidataCatalog

    /// - Parameter userAgent: A client whose user agent has no contact is refused.
    func answer(_ request: WikidataRequest, _ substitutions: Substitutions, userAgent: String?) -> Answer {
        guard let userAgent, Self.namesContact(userAgent) else { return Self.unidentified }
        return switch request {
        case .search(let search): self.search(search, substitutions)
        case .entities(let selection): entities(selection, substitutions)
        case .refused(let error): error.answer
        case .page: .text("<!DOCTYPE html><html><body>MediaWiki API result</body></html>", type: "text/html")
        case .unknown: .text("<!DOCTYPE html><html><body>Not found</body></html>", status: .notFound, type: "text/html")
        }
    }

    private static let unidentified = Answer.text(
        "Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also "
            + "https://phabricator.wikimedia.org/T400119.\n",
        status: .forbidden)

    /// Whether a `User-Agent` contains an e-mail address, a web address or a user page
    /// (https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy).
    private static func namesContact(_ userAgent: String) -> Bool {
        userAgent.contains("@") || userAgent.contains("://") || userAgent.contains("User:")
    }

    private func search(_ search: WikidataRequest.Search, _ substitutions: Substitutions) -> Answer {
        let found = matches(search, substitutions)
        let end = search.page.offset + search.page.limit
        return .json(
            .members([
                "searchinfo": ["search": .string(search.text)],
                "search": .array(search.page.part(of: found).map { result($0, search.language) }),
                "search-continue": end < found.count ? .integer(end) : nil,
                "success": 1,
            ]))
    }

    private func matches(
        _ search: WikidataRequest.Search, _ substitutions: Substitutions
    ) -> [EntityNameIndex.Match] {
        let language = search.isStrict ? search.language : nil
        switch substitutions[.author(search.text.folded)] {
        case .missing: return []
        case .wrongBook:
            let other = Int(StableHash.of(search.text) % UInt64(max(catalog.subjects.count, 1)))
            return catalog.names.search(catalog.subjects[other].label, language: nil)
        case nil: return catalog.names.search(search.text, language: language)
        }
    }

    private func result(_ match: EntityNameIndex.Match, _ language: String) -> JSONValue {
        let subject = catalog.subjects[match.subject]
        let description = subject.description.map(JSONValue.string)
        return .members([
            "id": .string(subject.id),
            "title": .string(subject.id),
            "pageid": .number(String(subject.id.dropFirst())),
            "display": .members([
                "label": ["value": .string(subject.label), "language": .string(language)],
                "description": description.map { ["value": $0, "language": .string(language)] },
            ]),
            "repository": "wikidata",
            "url": .string("//www.wikidata.org/wiki/\(subject.id)"),
            "concepturi": .string("http://www.wikidata.org/entity/\(subject.id)"),
            "label": .string(subject.label),
            "description": description,
            "match": [
                "type": .string(match.name.isLabel ? "label" : "alias"),
                "language": .string(match.name.language), "text": .string(match.name.text),
            ],
            "aliases": match.name.isLabel ? nil : [.string(match.name.text)],
        ])
    }

    private func entities(_ selection: WikidataRequest.Selection, _ substitutions: Substitutions) -> Answer {
        let members = selection.ids.map { id in
            let entity =
                switch substitutions[.entity(id)] {
                case .missing: JSONValue?.none
                case .wrongBook: catalog.wrongEntity(for: id)
                case nil: catalog.entity(id)
                }
            return JSONValue.Member(
                name: id, value: entity.map(selection.part) ?? ["id": .string(id), "missing": ""])
        }
        return .json(["entities": .object(members), "success": 1])
    }
}

extension WikidataRequest.Selection {
    private static let information: Set<String> = ["pageid", "ns", "title", "lastrevid", "modified"]
    private static let perLanguage: Set<String> = ["labels", "descriptions", "aliases"]

    /// The requested parts of an entity.
    fileprivate func part(of entity: JSONValue) -> JSONValue {
        guard case .object(let members) = entity else { return entity }
        return .object(
            members.compactMap { member in
                guard let parts, member.name != "type", member.name != "id" else { return inLanguages(member) }
                let part = Self.information.contains(member.name) ? "info" : member.name
                return parts.contains(part) ? inLanguages(member) : nil
            })
    }

    private func inLanguages(_ member: JSONValue.Member) -> JSONValue.Member {
        guard let languages, Self.perLanguage.contains(member.name), case .object(let texts) = member.value else {
            return member
        }
        return .init(name: member.name, value: .object(texts.filter { languages.contains($0.name) }))
    }
}

/// A request to the action API of Wikidata (https://www.wikidata.org/w/api.php).
enum WikidataRequest: Equatable, Sendable {
    struct Search: Equatable, Sendable {
        let text: String
        /// The language of labels and descriptions.
        let language: String
        /// Whether only names in that language are searched.
        let isStrict: Bool
        let page: ResultPage
    }

    struct Selection: Equatable, Sendable {
        let ids: [String]
        /// The requested parts of the entities; nil for all of them.
        let parts: Set<String>?
        /// The requested languages; nil for all of them.
        let languages: Set<String>?
    }

    case search(Search)
    case entities(Selection)
    case refused(WikidataError)
    /// A request without `format=json`, which is answered with an HTML page.
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

/// A refusal by the action API: status 200 with an `error` (https://www.mediawiki.org/wiki/API:Errors_and_warnings).
enum WikidataError: Error, Equatable, Sendable {
    case missing(String)
    case tooMany(String, limit: Int)
    case noSuchEntity(String)
    case unknownAction(String)

    private var code: String {
        switch self {
        case .missing: "missingparam"
        case .tooMany: "toomanyvalues"
        case .noSuchEntity: "no-such-entity"
        case .unknownAction: "badvalue"
        }
    }

    private var text: String {
        switch self {
        case .missing(let name): "The \"\(name)\" parameter must be set."
        case .tooMany(let name, let limit): "Too many values supplied for parameter \"\(name)\". The limit is \(limit)."
        case .noSuchEntity(let id): "Could not find an entity with the ID \"\(id)\"."
        case .unknownAction(let name): "Unrecognized value for parameter \"action\": \(name)."
        }
    }

    var answer: Answer {
        var members: [JSONValue.Member] = [
            .init(name: "code", value: .string(code)), .init(name: "info", value: .string(text)),
        ]
        if case .tooMany(_, let limit) = self {
            members.append(.init(name: "limit", value: .integer(limit)))
            members.append(.init(name: "lowlimit", value: .integer(limit)))
            members.append(.init(name: "highlimit", value: .integer(limit * 10)))
        }
        if case .noSuchEntity(let id) = self { members.append(.init(name: "id", value: .string(id))) }
        members.append(.init(name: "*", value: "See the emulator's own documentation for usage."))
        return .json(["error": .object(members), "servedby": "emulator"], headers: ["MediaWiki-API-Error": code])
    }
}
