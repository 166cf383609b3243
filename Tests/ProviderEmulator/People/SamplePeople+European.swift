extension SamplePeople {
    /// Who wrote in other languages of Europe and its neighbours.
    static let european: [Person] = [
        Person(
            "Milan Kundera", "Q93166", .male, [.czechoslovakia, .czechRepublic], "1929-04-01", "2023-07-11",
            preferred: .france, as: [.novelist]),
        Person("Patrick Süskind", nil, .male, [.germany], "1949-03-26", as: [.novelist]),
        Person(
            "Dmitry Glukhovsky", nil, .male, [.russia], "1979-06-12", as: [.scienceFictionWriter, .journalist],
            aka: ["Дмитрий Глуховский"]),
        Person("Knut Hamsun", "Q40826", .male, [.norway], "1859-08-04", "1952-02-19", as: [.novelist]),
        Person("Anna Starobinets", nil, .female, [.russia], "1978-10-25", as: [.novelist], aka: ["Анна Старобинец"]),
        Person("Yann Martel", "Q13914", .male, [.canada], "1963-06-25", as: [.novelist], aka: ["Янн Мартел"]),
        Person(
            "Alexander Pushkin", "Q7200", .male, [.russianEmpire], "1799-06-06", "1837-02-10", as: [.poet],
            aka: ["Aleksandr Pushkin", "Александр Пушкин"]),
        Person(
            "Sabahattin Ali", nil, .male, [.ottomanEmpire], "1907-02-25", "1948-04-02", preferred: .turkey,
            as: [.novelist]),
        Person("Marjane Satrapi", nil, .female, [.iran, .france], "1969-11-22", as: [.comicsArtist]),
        Person(
            "Naguib Mahfouz", nil, .male, [.egypt], "1911-12-11", "2006-08-30", as: [.novelist], aka: ["نجيب محفوظ"]),
        Person("Youssef Ziedan", nil, .male, [.egypt], "1958-06-30", as: [.novelist], aka: ["يوسف زيدان"]),
        Person("Eshkol Nevo", nil, .male, [.israel], "1971-02-28", as: [.novelist], aka: ["אשכול נבו"]),
    ]
}
