import BookstrackContract
import LibraryImport
import Testing

/// Ratings, numbers, years, flags and edition formats in the forms that applications write.
@Suite("Rating and number cells")
struct RatingAndNumberCellTests {
    @Test(
        "a rating is converted to stars using the column's scale",
        arguments: [
            ("1", 5, 1), ("5", 5, 5), ("0.25", 5, 0.25), ("4.75", 5, 4.75), ("3.0", 5, 3), ("3,75", 5, 3.75),
            ("1", 10, 0.5), ("7", 10, 3.5), ("9.5", 10, 4.75), ("10", 10, 5), ("20", 20, 5), ("13", 20, 3.25),
            ("50", 100, 2.5), ("100", 100, 5), ("97", 100, 4.75),
        ] as [(String, Int, Double)])
    func scales(cell: String, scale: Int, stars: Double) {
        #expect(CellRating.read(cell, scale: scale) == .rating(stars))
    }

    @Test(
        "a rating that states its own scale ignores the column's scale",
        arguments: [
            ("4/5", 4), ("8/10", 4), ("8 / 10", 4), ("4.5/5", 4.5), ("15/20", 3.75), ("75%", 3.75), ("100 %", 5),
            ("★", 1), ("★★★★★", 5), ("★★½", 2.5), ("⭐⭐⭐⭐", 4), ("🌟🌟", 2),
            ("★★★ ☆☆", 3), ("***", 3),
        ] as [(String, Double)])
    func ownScales(cell: String, stars: Double) {
        for scale in [5, 10, 20, 100] { #expect(CellRating.read(cell, scale: scale) == .rating(stars)) }
    }

    @Test(
        "words around a rating are skipped in several languages",
        arguments: [
            ("4 stars", 4), ("1 star", 1), ("3 Sterne", 3), ("4 étoiles", 4), ("2 estrellas", 2), ("5 stelle", 5),
            ("5 estrelas", 5), ("1 estrela", 1), ("4 sterren", 4), ("3 stjärnor", 3), ("5 gwiazdek", 5),
        ] as [(String, Double)])
    func words(cell: String, stars: Double) {
        #expect(CellRating.read(cell, scale: 5) == .rating(stars))
    }

    @Test(
        "a cell without a rating yields no rating rather than zero stars",
        arguments: ["", "0", "0.0", "0,0", "0/5", "0%", "☆☆☆☆☆", "unrated", "Not rated", "no rating", "N/A", "-"])
    func unrated(cell: String) {
        #expect(CellRating.read(cell, scale: 5) == .none)
    }

    @Test(
        "a rating that exceeds its scale or is not a number is unreadable",
        arguments: ["6", "-1", "11/10", "101%", "★★★★★★", "great", "4 cats", "A+", "5/0", "1.2.3", "👍"])
    func unreadable(cell: String) {
        #expect(CellRating.read(cell, scale: 5) == .unreadable)
    }

    @Test("a rating whose number or scale has hundreds of digits is unreadable")
    func digits() {
        let huge = String(repeating: "9", count: 400)
        for cell in ["\(huge)/\(huge)", "4/\(huge)", "\(huge) of \(huge)", "\(huge)%", huge] {
            #expect(CellRating.read(cell, scale: 5) == .unreadable)
        }
    }

    @Test(
        "a column's scale is the smallest scale that includes its highest rating, or 100 if none does",
        arguments: [(5, 5), (5.5, 10), (10, 10), (10.5, 20), (20, 20), (21, 100), (100, 100), (500, 100)]
            as [(Double, Int)])
    func scaleOfColumn(highest: Double, scale: Int) {
        #expect(CellRating.scale(forHighest: highest) == scale)
    }

    @Test(
        "a column's scale is the one in its header, unless its highest rating exceeds it",
        arguments: [
            ("Rating (out of 10)", 5, 10), ("Note /20", 10, 20), ("Score /5", 4, 5), ("Stars (1-5)", 5, 5),
            ("Rating", 5, 5), ("Rating (out of 5)", 9, 10), ("Rating 2020", 5, 5),
        ] as [(String, Double, Int)])
    func scaleInHeader(header: String, highest: Double, scale: Int) {
        #expect(CellRating.scale(header: header, highest: highest) == scale)
    }

    @Test("ratings of at most five are read on the scale of ten in their column's header")
    func lowRatings() throws {
        let read = try ReadText("Title,Author,Rating (out of 10)\nEmma,Jane Austen,5\nDune,Frank Herbert,4\n")
        #expect(read.books.map(\.rating) == [2.5, 2])
    }

    @Test(
        "a page count is read with or without a unit, digit grouping, a fraction or a Roman numeral before it",
        arguments: [
            ("474", 474), (" 474 ", 474), ("474 pages", 474), ("474p", 474), ("1,032", 1_032), ("474.0", 474),
            ("=\"474\"", 474), ("0", 0), ("12345", 12_345), ("[474]", 474), ("1.032", 1_032), ("1 032 Seiten", 1_032),
            ("1'032", 1_032), ("1’032 Seiten", 1_032),
            ("xii, 535 p.", 535), ("12,345", 12_345), ("352,0", 352), ("352.000", 352), ("12,5", 12), ("8, 9", 8),
        ])
    func counts(cell: String, number: Int) {
        #expect(CellNumber.count(cell) == number)
    }

    @Test(
        "a cell without a plausible number at its start or after a Roman numeral yields no page count",
        arguments: ["", "p. 474", "xii", "xii, p. 474", "N/A", "1234567890"])
    func noCount(cell: String) {
        #expect(CellNumber.count(cell) == nil)
    }

    @Test(
        "a year is found in dates and copyright notices",
        arguments: [
            ("2003", 2_003), ("2003.0", 2_003), ("c2003", 2_003), ("©2003", 2_003), ("May 2003", 2_003),
            ("2003-05-06", 2_003), ("06/05/2003", 2_003), ("[2003?]", 2_003), ("Penguin, 2003", 2_003),
            ("-750", -750), ("850", 850), ("44", 44), ("1815 (first), 2003", 1_815),
        ])
    func years(cell: String, year: Int) {
        #expect(CellNumber.year(cell) == year)
    }

    @Test(
        "a cell without a plausible year yields no year",
        arguments: ["", "0", "n.d.", "forthcoming", "20031", "9999", "-4000"])
    func noYear(cell: String) {
        #expect(CellNumber.year(cell) == nil)
    }

    @Test("yes and no are recognized in many languages")
    func flags() {
        for cell in [
            "yes", "Y", "TRUE", "1", "x", "✓", "✔", "ja", "Oui", "sí", "si", "sim", "tak", "да", "так", "kyllä", "是",
        ] {
            #expect(CellNumber.flag(cell) == true, "\(cell)")
        }
        for cell in ["no", "N", "False", "0", "nein", "non", "não", "nee", "nie", "нет", "ні", "nej", "ei", "否", "✗"] {
            #expect(CellNumber.flag(cell) == false, "\(cell)")
        }
        for cell in ["", "maybe", "2", "yes, twice or so", "unknown"] {
            #expect(CellNumber.flag(cell) == nil, "\(cell)")
        }
    }

    @Test(
        "Boolean values are recognized in the forms that spreadsheets write",
        arguments: [
            ("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("VERO", "FALSO"), ("VERDADERO", "FALSO"), ("VERDADEIRO", "FALSO"),
            ("WAAR", "ONWAAR"), ("PRAWDA", "FAŁSZ"), ("ИСТИНА", "ЛОЖЬ"), ("SANT", "FALSKT"), ("TOSI", "EPÄTOSI"),
        ])
    func truthValues(yes: String, no: String) {
        #expect(CellNumber.flag(yes) == true)
        #expect(CellNumber.flag(no) == false)
    }

    @Test(
        "an edition's binding is read as one of the contract's five formats",
        arguments: [
            ("Paperback", .paperback), ("Trade Paperback", .paperback), ("Softcover", .paperback),
            ("Broché", .paperback),
            ("Taschenbuch", .paperback), ("Tapa blanda", .paperback), ("Brossura", .paperback), ("miękka", .paperback),
            ("Мягкая обложка", .paperback), ("Häftad", .paperback), ("平装", .paperback), ("Pocket", .paperback),
            ("Hardcover", .hardcover), ("Hardback", .hardcover), ("Relié", .hardcover),
            ("Gebundene Ausgabe", .hardcover),
            ("Tapa dura", .hardcover), ("Copertina rigida", .hardcover), ("twarda", .hardcover),
            ("Твёрдый переплёт", .hardcover), ("Inbunden", .hardcover), ("精装", .hardcover),
            ("Leather Bound", .hardcover),
            ("Library Binding", .hardcover), ("Board book", .hardcover),
            ("Mass Market Paperback", .massMarket), ("Mass Market", .massMarket),
            ("Kindle Edition", .ebook), ("ebook", .ebook), ("E-Book", .ebook), ("EPUB", .ebook), ("Nook", .ebook),
            ("Livre numérique", .ebook), ("E-bok", .ebook), ("PDF", .ebook),
            ("CD-ROM", .audiobook), ("Compact disc", .audiobook), ("CD", .audiobook), ("Audible", .audiobook),
            ("Paperback with CD-ROM", .paperback), ("Kobo", .ebook), ("Kindle eBook", .ebook),
            ("Paperback, picture book", .paperback),
            ("Audiobook", .audiobook), ("Audio CD", .audiobook), ("Audible Audio", .audiobook), ("MP3 CD", .audiobook),
            ("Hörbuch", .audiobook), ("Luisterboek", .audiobook), ("Ljudbok", .audiobook), ("Аудиокнига", .audiobook),
        ] as [(String, EditionFormat)])
    func bindings(cell: String, format: EditionFormat) {
        #expect(BindingWords.format(cell) == format)
    }

    @Test(
        "text that does not name a binding yields no format",
        arguments: [
            "", "Penguin", "474", "Unknown Binding", "Brand new", "Spiral", String(repeating: "Paperback ", count: 9),
            "Notebook", "Guidebook", "Rulebook", "Picture book", "Puzzle book",
        ])
    func noBinding(cell: String) {
        #expect(BindingWords.format(cell) == nil)
    }
}
