extension SamplePeople {
    /// Who wrote or drew for children and young people.
    static let young: [Person] = [
        Person(
            "J. K. Rowling", "Q34660", .female, [.unitedKingdom], "1965-07-31", as: [.novelist, .childrensWriter],
            aka: ["JK Rowling", "Joanne Rowling", "Robert Galbraith", "Джоан Роулинг"]),
        Person("Mary GrandPré", nil, .female, [.unitedStates], "1954-02-13", as: [.illustrator]),
        Person("Suzanne Collins", "Q228624", .female, [.unitedStates], "1962-08-10", as: [.childrensWriter]),
        Person("E. B. White", nil, .male, [.unitedStates], "1899-07-11", "1985-10-01", as: [.childrensWriter]),
        Person("Garth Williams", nil, .male, [.unitedStates], "1912-04-16", "1996-05-08", as: [.illustrator]),
        Person("Shel Silverstein", nil, .male, [.unitedStates], "1930-09-25", "1999-05-10", as: [.poet, .musician]),
        Person(
            "Margaret Wise Brown", nil, .female, [.unitedStates], "1910-05-23", "1952-11-13", as: [.childrensWriter]),
        Person("Norton Juster", nil, .male, [.unitedStates], "1929-06-02", "2021-03-08", as: [.childrensWriter]),
        Person("Jules Feiffer", nil, .male, [.unitedStates], "1929-01-26", "2025-01-17", as: [.comicsArtist]),
        Person(
            "Madeleine L'Engle", nil, .female, [.unitedStates], "1918-11-29", "2007-09-06", as: [.novelist],
            aka: ["Madeleine L’Engle"]),
        Person(
            "Lucy Maud Montgomery", nil, .female, [.canada], "1874-11-30", "1942-04-24", as: [.novelist],
            aka: ["L. M. Montgomery"]),
        Person("Louis Sachar", nil, .male, [.unitedStates], "1954-03-20", as: [.childrensWriter]),
        Person("Jostein Gaarder", nil, .male, [.norway], "1952-08-08", as: [.novelist, .philosopher]),
        Person("Markus Zusak", nil, .male, [.australia], "1975-06-23", as: [.novelist]),
        Person("Stephenie Meyer", nil, .female, [.unitedStates], "1973-12-24", as: [.novelist]),
        Person("Astrid Lindgren", "Q55767", .female, [.sweden], "1907-11-14", "2002-01-28", as: [.childrensWriter]),
        Person("Michael Ende", nil, .male, [.germany], "1929-11-12", "1995-08-28", as: [.childrensWriter]),
        Person(
            "Antoine de Saint-Exupéry", "Q2908", .male, [.france], "1900-06-29", "1944-07-31", as: [.writer],
            aka: ["Antoine de Saint Exupery"]),
    ]
}
