import TestSupport

/// Writes libraries as applications do, with a known header and cells that mostly match it.
enum LibraryWriter {
    private static let headers = [
        [
            "Book Id", "Title", "Author", "Author l-f", "Additional Authors", "ISBN", "ISBN13", "My Rating",
            "Publisher",
            "Binding", "Number of Pages", "Year Published", "Date Read", "Date Added", "Bookshelves", "Exclusive Shelf",
            "My Review", "Private Notes", "Read Count", "Owned Copies",
        ],
        [
            "Title", "Authors", "ISBN/UID", "Format", "Read Status", "Date Added", "Last Date Read", "Dates Read",
            "Read Count", "Star Rating", "Review", "Tags", "Owned?",
        ],
        ["Titel", "Autor", "ISBN", "Verlag", "Jahr", "Gelesen am", "Bewertung", "Regal", "Notizen"],
        ["title", "authors", "isbn13", "status", "rating", "tags", "series", "position", "x"],
    ]
    private static let titles = [
        "Mort (Discworld, #4)", "Mort (Discworld, #4; Death, #1)", "Emma", "N/A", "The Lion, the Witch", "=1+1", "'Tis",
        "Ame&#769;lie", "Война и мир", "Dune  Messiah", "Dune (Dune, #1.0)", "((", "#1", "It (Special)", "カフカ (1)",
    ]
    private static let people = [
        "Jane Austen", "Austen, Jane", "Terry Pratchett, Neil Gaiman", "A & B", "J.K. Rowling", "J. K. Rowling",
        "X (Translator)", "King, Martin Luther, Jr.", "Ōe Kenzaburō", "unknown", "Jane  Austen", "B|C", "D; E",
    ]
    private static let numbers = [
        "9780141439587", "=\"0439708184\"", "=\"\"", "\"\"", "0306406152", "306406152", "9.78014E+12",
        "0306406152 (pbk.)",
        "978-0-306-40615-7", "123", "B002RI9176",
    ]
    private static let words = [
        "to-read", "read", "currently-reading", "favourites", "gelesen", "DNF", "fiction (#102)", "a; b", "a|||||b",
        "own, read", "Paperback", "Kindle Edition", "Hardcover", "yes", "no", "5", "4.5", "0", "★★★★", "8/10", "great",
    ]
    private static let days = [
        "2021/11/30", "2021-03-04", "2021-03-04T10:00:00Z", "03/04/2021", "13/04/2021", "04.03.2021", "March 2021",
        "2021",
        "2020/01/01-2020/02/03, 2019/05/05", "0101-01-01", "20210403", "2020-01-01/", "45000", "soon",
    ]
    private static let prose = [
        "Good.<br/>Very &amp; good", "One\n\nTwo", "<b>x</b> <i", "  two  spaces ", "\"quoted\"", "&#xD800;", "&nope;",
    ]

    static func text(_ random: inout SeededGenerator) -> String {
        let header = headers.randomElement(using: &random) ?? []
        let delimiter = Int.random(in: 0..<4, using: &random) == 0 ? ";" : ","
        let rows = (0...Int.random(in: 0...8, using: &random)).map { row in
            row == 0 ? header : header.map { cell($0, row, &random) }
        }
        return rows.map { row in
            row.map { cell in
                "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
            }.joined(separator: delimiter)
        }.joined(separator: "\n") + "\n"
    }

    private static func cell(_ header: String, _ row: Int, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return RandomText.text(of: titles + words + days, longest: 3, using: &random)
        case 1...4: return ""
        default: break
        }
        let fitting: [String] =
            switch header {
            case "Book Id": ["\(row % 9)"]
            case "Title", "Titel", "title": titles
            case "Author", "Author l-f", "Additional Authors", "Authors", "Autor", "authors", "Publisher": people
            case "ISBN", "ISBN13", "ISBN/UID", "isbn13": numbers
            case "Date Read", "Date Added", "Last Date Read", "Dates Read", "Gelesen am", "Year Published": days
            case "My Review", "Private Notes", "Review", "Notizen": prose
            default: words
            }
        return fitting.randomElement(using: &random) ?? ""
    }
}
