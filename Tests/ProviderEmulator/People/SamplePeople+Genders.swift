extension SamplePeople {
    /// People without a book in the sample, who have genders and countries that the others lack.
    static let genders: [Person] = [
        Person("Sarah Gailey", "Q64748209", .nonBinary, [.unitedStates], "1990", as: [.scienceFictionWriter]),
        Person("Akwaeke Emezi", nil, .nonBinary, [.nigeria], "1987-06-06", as: [.novelist]),
        Person("Juno Dawson", "Q34251707", .transWoman, [.unitedKingdom], "1981-06-10", as: [.novelist]),
        Person("Thomas Page McBee", nil, .transMan, [.unitedStates], "1981", as: [.journalist]),
        Person("Marlon James", nil, .male, [.jamaica], "1970-11-24", as: [.novelist]),
        Person(
            "V. S. Naipaul", nil, .male, [.trinidadAndTobago], "1932-08-17", "2018-08-11", preferred: .unitedKingdom),
        Person("Russell Soaba", nil, .male, [.papuaNewGuinea], "1950", as: [.novelist]),
        Person("Chinua Achebe", "Q155845", .male, [.nigeria], "1930-11-16", "2013-03-21", as: [.novelist]),
        Person("Ngũgĩ wa Thiong'o", nil, .male, [.kenya], "1938-01-05", "2025-05-28", as: [.novelist]),
        Person("J. M. Coetzee", "Q43293", .male, [.southAfrica, .australia], "1940-02-09", as: [.novelist]),
        Person("Arundhati Roy", nil, .female, [.india], "1961-11-24", as: [.novelist]),
        Person("Keri Hulme", nil, .female, [.newZealand], "1947-03-09", "2021-12-27", as: [.novelist, .poet]),
        Person("Jin Yong", nil, .male, [.hongKong], "1924-03-10", "2018-10-30", as: [.novelist], aka: ["金庸"]),
        Person("Joseph Roth", nil, .male, [.austriaHungary], "1894-09-02", "1939-05-27", as: [.novelist]),
        Person("Svetlana Alexievich", nil, .female, [.sovietUnion], "1948-05-31", as: [.journalist, .writer]),
    ]
}
