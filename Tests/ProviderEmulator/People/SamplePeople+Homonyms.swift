extension SamplePeople {
    /// Names that more than one bears. Some can be told apart by Open Library id or work, some not at all, and not everybody is a
    /// writer or even human.
    static let homonyms: [Person] = [
        // Two writers; the first has written the catalogue's book.
        Person(
            "William Gibson", "Q188987", .male, [.unitedStates, .canada], "1948-03-17", as: [.scienceFictionWriter],
            works: ["Neuromancer"]),
        Person(
            "William Gibson", nil, .male, [.unitedStates], "1914-11-13", "2008-11-25", as: [.playwright],
            works: ["The Miracle Worker"], isIdentified: false),
        // A writer and others who write too; only works tell.
        Person(
            "David Mitchell", nil, .male, [.unitedKingdom], "1974-07-14", as: [.comedian, .writer, .actor],
            isIdentified: false),
        Person(
            "David Mitchell", nil, .male, [.unitedKingdom], "1969-01-12", as: [.novelist], works: ["Cloud Atlas"],
            isIdentified: false),
        // Two novelists that nothing tells apart.
        Person(
            "John Williams", nil, .male, [.unitedStates], "1922-08-29", "1994-03-03", as: [.novelist],
            isIdentified: false),
        Person("John Williams", nil, .male, [.unitedKingdom], "1961", as: [.novelist], isIdentified: false),
        Person(
            "John Williams", "Q131285", .male, [.unitedStates], "1932-02-08", as: [.composer], isIdentified: false),
        // A writer, and a musician of the same name who comes first.
        Person("Tim O'Brien", nil, .male, [.unitedStates], "1954-03-16", as: [.musician], isIdentified: false),
        Person("Tim O'Brien", nil, .male, [.unitedStates], "1946-10-01", as: [.novelist], aka: ["Tim O’Brien"]),
        Person("Richard Adams", nil, .male, [.unitedKingdom], "1920-05-09", "2016-12-24", as: [.novelist]),
        Person("Richard Adams", nil, .male, [.unitedStates], "1946", as: [.footballer], isIdentified: false),
        // A father and his son.
        Person(
            "Alexandre Dumas fils", nil, .male, [.france], "1824-07-27", "1895-11-27", as: [.playwright, .novelist],
            aka: ["Alexandre Dumas"], isIdentified: false),
        Person(
            "Arthur Miller", nil, .male, [.unitedStates], "1895-07-08", "1970-07-13", as: [.cinematographer],
            isIdentified: false),
        // The author is missing; a politician has the name.
        Person("David Lloyd", nil, .male, [.unitedKingdom], "1962-07-18", as: [.politician], isIdentified: false),
        Person("Clement Hurd", nil, .male, [.unitedStates], "1840", as: [.politician], isIdentified: false),
        // What is no person.
        Person("Homer", nil, as: [], kind: .disambiguationPage, isIdentified: false),
        Person("Homer Simpson", "Q7810", .male, as: [], kind: .fictionalHuman, aka: ["Homer"], isIdentified: false),
        Person("Frank Herbert", nil, as: [], kind: .disambiguationPage, isIdentified: false),
        Person("Orwell", nil, as: [], kind: .familyName, isIdentified: false),
        Person("Stephen King", nil, as: [], kind: .band, isIdentified: false),
    ]
}
