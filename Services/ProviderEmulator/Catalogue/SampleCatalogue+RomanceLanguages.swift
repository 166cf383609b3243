extension SampleCatalogue {
    /// Originals and translations in Spanish, French, Italian and Portuguese.
    static let romanceLanguages: [SampleBook] = [
        SampleBook(
            "9780307474728", "Cien años de soledad", by: ["Gabriel García Márquez"],
            first: 1967, in: .spanish,
            edition: .init("2009-09-22", from: "Vintage Español", pages: 496, as: .paperback),
            subjects: ["Ficción", "Realismo mágico"],
            about: "La historia de los Buendía y del pueblo de Macondo, contada de principio a fin."),
        SampleBook(
            "9788420471839", "Cien años de soledad", by: ["Gabriel García Márquez"],
            first: 1967, in: .spanish,
            edition: .init("2007-03", from: "Alfaguara", pages: 606, as: .hardcover),
            subjects: ["Ficción", "Realismo mágico"],
            about: "Edición conmemorativa de la novela de Macondo.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9788437604572", "Rayuela", by: ["Julio Cortázar"],
            first: 1963, in: .spanish,
            edition: .init("1984", from: "Cátedra", pages: 746, as: .paperback),
            subjects: ["Ficción", "Literatura argentina"],
            about: "Una novela que se puede leer de dos maneras, en París y en Buenos Aires."),
        SampleBook(
            "9788478886548", "Harry Potter y la piedra filosofal", by: ["J. K. Rowling"],
            first: 1997, in: .spanish, series: "Harry Potter #1",
            edition: .init("2000", from: "Salamandra", pages: 254, as: .paperback),
            subjects: ["Fantasy", "Children's"],
            about: "Un huérfano descubre que es mago y que lo esperan en una escuela."),
        SampleBook(
            "9782070360024", "L'Étranger", by: ["Albert Camus"],
            first: 1942, in: .french,
            edition: .init("1972", from: "Gallimard", pages: 185, as: .paperback),
            subjects: ["Classics", "Philosophy", "Roman"],
            about: "Un homme tue sur une plage et ne trouve pas de raison."),
        SampleBook(
            "9782070612758", "Le Petit Prince", by: ["Antoine de Saint-Exupéry"],
            first: 1943, in: .french,
            edition: .init("2007", from: "Gallimard Jeunesse", pages: 113, as: .paperback),
            subjects: ["Children's", "Classics"],
            about: "Un aviateur tombé dans le désert rencontre un enfant venu d'une étoile."),
        SampleBook(
            "9782012101333", "Astérix le Gaulois", by: ["René Goscinny", "Albert Uderzo"],
            first: 1961, in: .french, series: "Astérix #1",
            edition: .init("2004", from: "Hachette", pages: 48, as: .hardcover),
            subjects: ["Graphic Novels", "Humor"],
            about: "Un village résiste encore, grâce à une potion.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9782203001190", "Tintin au Tibet", by: ["Hergé"],
            first: 1960, in: .french,
            edition: .init("1993", from: "Casterman", pages: 62, as: .hardcover),
            subjects: ["Graphic Novels", "Adventure"],
            about: "Tintin cherche dans la neige un ami que tous croient mort."),
        SampleBook(
            "9782070427796", "Les ombres errantes", by: ["Pascal Quignard"],
            first: 2002, in: .french,
            edition: .init("2004", from: "Gallimard", pages: 190, as: .paperback),
            subjects: ["Fiction", "Essais"],
            about: "Fragments sur la lecture, l'ombre et le retrait.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9788845246340", "Il nome della rosa", by: ["Umberto Eco"],
            first: 1980, in: .italian,
            edition: .init("2000", from: "Bompiani", pages: 533, as: .paperback),
            subjects: ["Mystery", "Historical Fiction"],
            about: "Un frate indaga su alcune morti in un'abbazia con una biblioteca proibita."),
        SampleBook(
            "9788866320326", "L'amica geniale", by: ["Elena Ferrante"],
            first: 2011, in: .italian, series: "L'amica geniale #1",
            edition: .init("2011-10", from: "E/O", pages: 336, as: .paperback),
            subjects: ["Fiction", "Coming of age"],
            about: "Due bambine di un rione di Napoli crescono l'una contro l'altra e insieme."),
        SampleBook(
            "9788535914849", "1984", by: ["George Orwell"],
            first: 1949, in: .portuguese, work: "Nineteen Eighty-Four",
            edition: .init("2009-07-21", from: "Companhia das Letras", pages: 416, as: .paperback),
            subjects: ["Dystopian", "Fiction"],
            about: "Um funcionário que altera jornais começa a escrever um diário."),
    ]
}
