extension SamplePeople {
    /// Who wrote in English in the twentieth century and after.
    static let modern: [Person] = [
        Person("F. Scott Fitzgerald", "Q93354", .male, [.unitedStates], "1896-09-24", "1940-12-21", as: [.novelist]),
        Person(
            "George Orwell", "Q3335", .male, [.unitedKingdom], "1903-06-25", "1950-01-21",
            as: [.novelist, .journalist],
            aka: ["Eric Arthur Blair", "Джордж Оруэлл"]),
        Person(
            "Aldous Huxley", "Q81447", .male, [.unitedKingdom, .unitedStates], "1894-07-26", "1963-11-22",
            as: [.novelist, .philosopher]),
        Person("Joseph Heller", "Q208101", .male, [.unitedStates], "1923-05-01", "1999-12-12", as: [.novelist]),
        Person("Harper Lee", nil, .female, [.unitedStates], "1926-04-28", "2016-02-19", as: [.novelist]),
        Person(
            "J. D. Salinger", "Q79904", .male, [.unitedStates], "1919-01-01", "2010-01-27",
            aka: ["Jerome David Salinger"]),
        Person("Margaret Atwood", "Q183492", .female, [.canada], "1939-11-18", as: [.poet, .novelist]),
        Person("Jeffrey Eugenides", nil, .male, [.unitedStates], "1960-03-08", as: [.novelist]),
        Person("Truman Capote", "Q134180", .male, [.unitedStates], "1924-09-30", "1984-08-25", as: [.novelist]),
        Person("John Steinbeck", "Q39212", .male, [.unitedStates], "1902-02-27", "1968-12-20", as: [.novelist]),
        Person(
            "Kurt Vonnegut", "Q49074", .male, [.unitedStates], "1922-11-11", "2007-04-11", as: [.novelist],
            aka: ["Kurt Vonnegut Jr.", "Kurt Vonnegut, Jr."]),
        Person(
            "Frank Herbert", "Q7934", .male, [.unitedStates], "1920-10-08", "1986-02-11", as: [.scienceFictionWriter]),
        Person(
            "Ursula K. Le Guin", "Q181659", .female, [.unitedStates], "1929-10-21", "2018-01-22",
            as: [.scienceFictionWriter], aka: ["Ursula Le Guin", "Ursula Kroeber Le Guin"]),
        Person(
            "J. R. R. Tolkien", "Q892", .male, [.unitedKingdom], "1892-01-03", "1973-09-02", as: [.writer, .poet],
            aka: ["John Ronald Reuel Tolkien", "Tolkien"]),
        Person(
            "George R. R. Martin", "Q181677", .male, [.unitedStates], "1948-09-20", as: [.novelist],
            aka: ["GRRM", "George Raymond Richard Martin"]),
        Person("Brandon Sanderson", "Q457608", .male, [.unitedStates], "1975-12-19", as: [.novelist]),
        Person("Andy Weir", "Q18590295", .male, [.unitedStates], "1972-06-16", as: [.scienceFictionWriter]),
        Person("Ernest Cline", nil, .male, [.unitedStates], "1972-03-29", as: [.novelist]),
        Person(
            "Ray Bradbury", "Q40640", .male, [.unitedStates], "1920-08-22", "2012-06-05", as: [.scienceFictionWriter]),
        Person(
            "Arthur C. Clarke", "Q47087", .male, [.sriLanka], "1917-12-16", "2008-03-19", preferred: .unitedKingdom,
            as: [.scienceFictionWriter], aka: ["Sir Arthur Charles Clarke"]),
        Person("Douglas Adams", "Q42", .male, [.unitedKingdom], "1952-03-11", "2001-05-11", as: [.novelist]),
        Person(
            "Terry Pratchett", "Q46248", .male, [.unitedKingdom], "1948-04-28", "2015-03-12", as: [.novelist],
            aka: ["Sir Terry Pratchett"]),
        Person("Neil Gaiman", "Q210059", .male, [.unitedKingdom], "1960-11-10", as: [.novelist, .writer]),
        Person(
            "Stephen King", "Q39829", .male, [.unitedStates], "1947-09-21", as: [.novelist], aka: ["Richard Bachman"]),
        Person("Cormac McCarthy", nil, .male, [.unitedStates], "1933-07-20", "2023-06-13", as: [.novelist]),
        Person("Dan Brown", "Q7345", .male, [.unitedStates], "1964-06-22", as: [.novelist]),
        Person("Harlan Coben", nil, .male, [.unitedStates], "1962-01-04", as: [.novelist]),
        Person("Kate Atkinson", nil, .female, [.unitedKingdom], "1951-12-20", as: [.novelist]),
        Person("Liam Callanan", nil, .male, [.unitedStates], "1968", as: [.novelist]),
        Person("William Gay", nil, .male, [.unitedStates], "1941-10-27", "2012-02-23", as: [.novelist]),
        Person(
            "Seamus Heaney", "Q93356", .male, [.ireland], "1939-04-13", "2013-08-30", as: [.poet, .playwright]),
        Person("Arthur Miller", "Q80596", .male, [.unitedStates], "1915-10-17", "2005-02-10", as: [.playwright]),
        Person("Alan Moore", nil, .male, [.unitedKingdom], "1953-11-18", as: [.writer]),
        Person("Dave Gibbons", nil, .male, [.unitedKingdom], "1949-04-14", as: [.comicsArtist]),
        Person("Art Spiegelman", nil, .male, [.unitedStates, .sweden], "1948-02-15", as: [.comicsArtist]),
    ]
}
