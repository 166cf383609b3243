extension SampleCatalogue {
    /// German, the Nordic languages, Russian and Turkish.
    static let otherEuropeanLanguages: [SampleBook] = [
        SampleBook(
            "9783257228007", "Das Parfum", subtitle: "Die Geschichte eines Mörders", by: ["Patrick Süskind"],
            first: 1985, in: .german,
            edition: .init("1994", from: "Diogenes", pages: 336, as: .paperback),
            subjects: ["Fiction", "Historical Fiction"],
            about: "Ein Mann ohne eigenen Geruch sucht den vollkommenen Duft."),
        SampleBook(
            "9783522177504", "Momo", by: ["Michael Ende"],
            first: 1973, in: .german,
            edition: .init("2005", from: "Thienemann", pages: 304, as: .hardcover),
            subjects: ["Children's", "Fantasy"],
            about: "Ein Mädchen, das zuhören kann, holt den Menschen die gestohlene Zeit zurück."),
        SampleBook(
            "9783453532984", "Metro 2033", by: ["Dmitry Glukhovsky"],
            first: 2005, in: .german, series: "Metro #1",
            edition: .init("2008", from: "Heyne Verlag", as: .paperback),
            subjects: ["Science Fiction", "Dystopian"],
            about: "Die letzten Moskauer leben in den Schächten der U-Bahn.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9788205248939", "Sult", by: ["Knut Hamsun"],
            first: 1890, in: .norwegian,
            edition: .init("1998", from: "Gyldendal", pages: 158, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "En ung skribent går sulten gjennom Kristiania."),
        SampleBook(
            "9789129688313", "Pippi Långstrump", by: ["Astrid Lindgren"],
            first: 1945, in: .swedish,
            edition: .init(from: "Rabén & Sjögren", as: .hardcover),
            subjects: ["Children's", "Humor"],
            about: "Världens starkaste flicka flyttar in i Villa Villekulla.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9785170774845", "Икарова железа", subtitle: "Книга метаморфоз", by: ["Анна Старобинец"],
            first: 2013, in: .russian,
            edition: .init("2013", from: "АСТ", pages: 256, as: .hardcover),
            subjects: ["Fiction", "Short stories"],
            about: "Рассказы о превращениях."),
        SampleBook(
            "9785699600281", "Жизнь Пи", by: ["Янн Мартел"],
            first: 2001, in: .russian,
            edition: .init("2013", pages: 443, as: .ebook),
            subjects: ["Fiction", "Adventure"],
            about: "Мальчик и тигр в одной лодке посреди океана.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9788726360547", "Капитанская дочка", by: ["Александр Пушкин"],
            first: 1836, in: .russian,
            edition: .init("2019-12-25", from: "Lindhardt og Ringhof", pages: 70, as: .ebook),
            subjects: ["Classics", "Historical Fiction"],
            about: "Молодой офицер служит в крепости, когда начинается пугачёвский бунт."),
        SampleBook(
            "9789753638029", "Kürk Mantolu Madonna", by: ["Sabahattin Ali"],
            first: 1943, in: .turkish,
            edition: .init("1998", from: "Yapı Kredi Yayınları", pages: 160, as: .paperback),
            subjects: ["Fiction", "Romance"],
            about: "Sessiz bir memurun defterinden Berlin'de geçen bir aşk."),
    ]
}
