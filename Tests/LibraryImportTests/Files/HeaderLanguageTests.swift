import BookstrackContract
import LibraryImport
import Testing

/// A library in each of many languages: the headers that applications write in that language identify their
/// columns, and the words for statuses are recognized. The rows are invented.
@Suite("Libraries in many languages")
struct HeaderLanguageTests {
    struct Library: Sendable, CustomTestStringConvertible {
        let language: String
        let header: String
        let status: String
        var separator = ","

        var testDescription: String { language }
    }

    /// The columns are title, author, publisher, year, pages, ISBN, status, rating, date read and language.
    private static let libraries = [
        Library(
            language: "English",
            header: "Title,Author,Publisher,Publication Year,Pages,ISBN,Status,Rating,Date Read,Language",
            status: "Finished"),
        Library(
            language: "German",
            header: "Titel,Autor,Verlag,Erscheinungsjahr,Seiten,ISBN,Lesestatus,Bewertung,Gelesen am,Sprache",
            status: "Gelesen"),
        Library(
            language: "French",
            header:
                "Titre,Auteur,Éditeur,Année de publication,Nombre de pages,ISBN,Statut,Évaluation,Date de lecture,Langue",
            status: "Lu"),
        Library(
            language: "Spanish",
            header: "Título,Autor,Editorial,Año de publicación,Páginas,ISBN,Estado,Valoración,Fecha de lectura,Idioma",
            status: "Leído"),
        Library(
            language: "Catalan",
            header: "Títol,Autor,Editorial,Any de publicació,Pàgines,ISBN,Estat,Valoració,Data lectura,Llengua",
            status: "Llegit"),
        Library(
            language: "Italian",
            header: "Titolo,Autore,Casa editrice,Anno di pubblicazione,Pagine,ISBN,Stato,Voto,Data di lettura,Lingua",
            status: "Letto"),
        Library(
            language: "Portuguese",
            header: "Título,Autoria,Editora,Ano de publicação,Páginas,ISBN,Estado,Avaliação,Data de leitura,Idioma",
            status: "Lido"),
        Library(
            language: "Dutch",
            header:
                "Titel,Auteur,Uitgever,Jaar van publicatie,Aantal pagina's,ISBN,Leesstatus,Waardering,Gelezen op,Taal",
            status: "Gelezen"),
        Library(
            language: "Polish",
            header:
                "Tytuł,Autor,Wydawnictwo,Rok wydania,Liczba stron,ISBN,Status czytania,Ocena,Data przeczytania,Język",
            status: "Przeczytane"),
        Library(
            language: "Swedish",
            header: "Titel,Författare,Förlag,Utgivningsår,Antal sidor,ISBN,Lässtatus,Betyg,Läst datum,Språk",
            status: "Lästa"),
        Library(
            language: "Finnish",
            header: "Nimi,Kirjailija,Kustantaja,Julkaisuvuosi,Sivumäärä,ISBN,Lukutila,Arvosana,Luettu päivä,Kieli",
            status: "Luettu"),
        Library(
            language: "Norwegian",
            header: "Tittel,Forfatter,Forlag,Utgivelsesår,Antall sider,ISBN,Leserstatus,Vurdering,Lest dato,Språk",
            status: "Lest"),
        Library(
            language: "Russian",
            header: "Название,Автор,Издательство,Год издания,Количество страниц,ISBN,Статус,Оценка,Дата прочтения,Язык",
            status: "Прочитано"),
        Library(
            language: "Ukrainian",
            header: "Назва,Автор,Видавництво,Рік видання,Кількість сторінок,ISBN,Статус,Оцінка,Дата прочитання,Мова",
            status: "Прочитано"),
        Library(
            language: "Czech",
            header: "Název,Autor,Nakladatelství,Rok vydání,Počet stran,ISBN,Stav,Hodnocení,Přečteno dne,Jazyk",
            status: "finished"),
        Library(
            language: "Chinese", header: "书名,作者,出版社,出版年,页数,ISBN,阅读状态,评分,阅读日期,语言", status: "读过"),
        Library(
            language: "Japanese", header: "タイトル,著者,出版社,出版年,ページ数,ISBN,読書状況,評価,読了日,言語",
            status: "読んだ"),
    ]

    private func read(_ library: Library, separator: String = ",") throws -> ReadText {
        let rows = [
            "Emma,Jane Austen,Penguin,2003,474,9780141439587,\(library.status),4,2021-03-05,English",
            "Dune,Frank Herbert,Ace,1990,535,9780441172719,\(library.status),5,2020-12-24,English",
            "Mort,Terry Pratchett,Corgi,1988,272,9780552131063,\(library.status),3,2019-01-31,English",
        ]
        return try ReadText(
            ([library.header] + rows).joined(separator: "\n").replacing(",", with: separator) + "\n")
    }

    @Test("a book's columns are read in each language", arguments: libraries)
    func books(library: Library) throws {
        let book = try #require(try read(library).books.first)
        #expect(book.title == "Emma")
        #expect(book.author == "Jane Austen")
        #expect(book.publisher == "Penguin")
        #expect(book.publicationYear == 2_003)
        #expect(book.pageCount == 474)
        #expect(book.isbn13 == "9780141439587")
        #expect(book.status == .read)
        #expect(book.rating == 4)
        #expect(book.language == "English")
        #expect(book.remarks.isEmpty)
    }

    @Test("empty author and ISBN columns are identified by their headers alone", arguments: libraries)
    func emptyColumns(library: Library) throws {
        let read = try ReadText(library.header + "\nEmma,,,,,,,,,\nDune,,,,,,,,,\n")
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        let roles = read.summary.source.columns.compactMap(\.role)
        #expect(Set(roles).isSuperset(of: [.title, .author, .isbn]))
    }

    @Test("upper-case headers and semicolons as separators make no difference", arguments: libraries)
    func otherWriting(library: Library) throws {
        let loud = Library(language: library.language, header: library.header.uppercased(), status: library.status)
        let books = try read(loud, separator: ";").books
        #expect(books.map(\.title) == ["Emma", "Dune", "Mort"])
        #expect(books.map(\.isbn13) == ["9780141439587", "9780441172719", "9780552131063"])
    }
}
