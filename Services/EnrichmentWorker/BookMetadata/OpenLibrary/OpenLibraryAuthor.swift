import BookstrackContract

/// What Open Library says about a person.
package struct AuthorRecord: Hashable, Codable, Sendable {
    /// Open Library author key, for example `OL26320A`.
    package let key: String
    /// The name in the provider's order of words.
    package var name: String
    /// Other names and spellings, each once.
    package var alternateNames: [String] = []
    /// Year of birth; negative for BCE.
    package var birthYear: Int?
    /// Year of death; negative for BCE.
    package var deathYear: Int?
    /// Wikidata item, for example `Q892`.
    package var wikidataID: String?
    /// Number of works; only searches say it.
    package var workCount: Int?

    /// Makes a record with nothing but a name.
    package init(key: String, name: String) {
        self.key = key
        self.name = name
    }
}

/// A person as `/authors/OL…A.json`, the authors dump and `/search/authors.json` send them.
struct OpenLibraryAuthor {
    let key: String?
    let name: String?
    let personalName: String?
    let alternateNames: [String]
    let birthDate: String?
    let deathDate: String?
    let wikidata: String?
    let workCount: Int?

    init(_ node: JSONNode) {
        key = node["key"]?.string
        name = node["name"]?.string
        personalName = node["personal_name"]?.string
        alternateNames = node.strings("alternate_names")
        birthDate = node["birth_date"]?.string
        deathDate = node["death_date"]?.string
        wikidata = node["remote_ids"]?["wikidata"]?.string
        workCount = node["work_count"]?.int
    }
}

extension AuthorRecord {
    /// Normalises a person; `nil` without key or name.
    init?(_ author: OpenLibraryAuthor) {
        guard let key = author.key.flatMap(OpenLibraryEntry.identifier),
            let name = (author.name ?? author.personalName).flatMap(PersonName.clean)
        else { return nil }
        self.init(key: key, name: name)
        alternateNames = author.alternateNames.compactMap(PersonName.clean).filter { $0 != name }.uniqued()
        birthYear = author.birthDate.flatMap(LifeYear.from)
        deathYear = author.deathDate.flatMap(LifeYear.from)
        wikidataID = author.wikidata.flatMap { Self.isWikidataItem($0) ? $0 : nil }
        workCount = author.workCount
    }

    /// `Q` and a number.
    private static func isWikidataItem(_ identifier: String) -> Bool {
        let number = identifier.utf8.dropFirst()
        return identifier.utf8.first == UInt8(ascii: "Q") && !number.isEmpty
            && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension OpenLibrary {
    /// The person of an `/authors/OL…A.json` answer.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for `{"error": "notfound"}`.
    package static func decodeAuthor(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> AuthorRecord {
        guard let author = AuthorRecord(OpenLibraryAuthor(try record(in: body))) else { throw .malformed(.openLibrary) }
        return author
    }

    /// The people of a `/search/authors.json` answer in the provider's order.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeAuthors(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [AuthorRecord] {
        try list("docs", in: body).list("docs") { AuthorRecord(OpenLibraryAuthor($0)) }
    }
}

extension OpenLibraryRequests {
    /// Up to `batchSize` authors by their keys. The index knows them by path (openlibrary/plugins/worksearch/schemes/authors.py of Open
    /// Library), its answers name them without.
    package static func authors(_ keys: [String]) -> String {
        let alternatives = keys.map { "\"/authors/\($0)\"" }.joined(separator: " OR ")
        return "/search/authors.json"
            + PercentEncoding.query([
                ("q", "key:(\(alternatives))"), ("fields", "key,name,work_count"), ("limit", String(keys.count)),
            ])
    }

    /// The record of an author key such as `OL26320A`.
    package static func author(_ key: String) -> String {
        "/authors/\(PercentEncoding.encode(key)).json"
    }
}

/// Reads the years of birth and death that catalogues print.
enum LifeYear {
    private static let beforeChrist: Set<String> = ["bc", "bce"]
    private static let ourEra: Set<String> = ["ad", "ce"]

    /// The year of "31 July 1965", "ca. 1850", "384 BC" or "480 AD"; negative for BCE. `nil` for a century, a decade ("195-")
    /// and whatever names no year.
    static func from(_ text: String) -> Int? {
        if let year = PublicationDate.year(text) { return year }
        // "B.C." is two words of one letter.
        let words = MatchKey.words(text.filter { $0 != "." })
        guard let index = words.firstIndex(where: isEarlyYear), let year = Int(words[index]) else { return nil }
        let era = words.dropFirst(index + 1).first
        if let era, beforeChrist.contains(era) { return -year }
        if let era, ourEra.contains(era) { return year }
        let isAlone = era == nil || era == "ca"
        return isAlone && words[index].utf8.count == 3 && !text.contains("-") ? year : nil
    }

    /// Up to three digits; more are found as ordinary years, fewer than three need an era beside them.
    private static func isEarlyYear(_ word: String) -> Bool {
        word.utf8.count <= 3 && word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
