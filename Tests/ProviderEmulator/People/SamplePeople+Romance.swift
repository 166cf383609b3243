extension SamplePeople {
    /// Who wrote in Spanish, Portuguese, French or Italian.
    static let romance: [Person] = [
        Person(
            "Gabriel García Márquez", "Q5878", .male, [.mexico], "1927-03-06", "2014-04-17", preferred: .colombia,
            as: [.novelist, .journalist], aka: ["Gabriel Garcia Marquez", "Gabo"]),
        Person("Julio Cortázar", nil, .male, [.argentina, .france], "1914-08-26", "1984-02-12", as: [.novelist]),
        Person("José Saramago", "Q39803", .male, [.portugal], "1922-11-16", "2010-06-18", as: [.novelist]),
        Person(
            "Albert Camus", "Q34670", .male, [.france], "1913-11-07", "1960-01-04", as: [.novelist, .philosopher],
            aka: ["آلبر کامو"]),
        Person("René Goscinny", nil, .male, [.france], "1926-08-14", "1977-11-05", as: [.writer]),
        Person("Albert Uderzo", nil, .male, [.france], "1927-04-25", "2020-03-24", as: [.comicsArtist]),
        Person("Hergé", nil, .male, [.belgium], "1907-05-22", "1983-03-03", as: [.comicsArtist], aka: ["Georges Remi"]),
        Person("Pascal Quignard", nil, .male, [.france], "1948-04-23", as: [.novelist]),
        Person("Umberto Eco", "Q12807", .male, [.italy], "1932-01-05", "2016-02-19", as: [.philosopher, .novelist]),
        Person("Elena Ferrante", nil, nil, [.italy], "1943", as: [.novelist]),
        Person("Isabel Allende", "Q83566", .female, [.unitedStates], "1942-08-02", preferred: .chile, as: [.novelist]),
    ]
}
