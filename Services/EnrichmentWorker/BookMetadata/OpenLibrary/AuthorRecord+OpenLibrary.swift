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
