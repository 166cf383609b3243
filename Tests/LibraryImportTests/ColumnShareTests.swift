import BookstrackContract
import LibraryImport
import TestSupport
import Testing

@Suite(
    "Recognizing columns in modified real files", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence))
)
struct ColumnShareTests {
    /// Roles that must be recognized from cells alone.
    private static let shownByContent: Set<ColumnRole> = [
        .title, .author, .isbn, .status, .rating, .dateRead, .dateAdded, .publicationYear, .originalYear, .pageCount,
        .format,
    ]

    /// The numbers of judged columns and of correct ones.
    private struct Share {
        var (right, judged) = (0, 0)
        var mistakes: [String] = []
        /// Columns wrongly recognized as titles or ISBNs with a confidence above 0.6.
        var wrongTitles: [String] = []

        var percent: Double { judged == 0 ? 100 : 100 * Double(right) / Double(judged) }
    }

    /// The role that stands for all roles that these tests do not distinguish from it; nil for no role or an ignored column.
    private static func family(_ role: ColumnRole?) -> ColumnRole? {
        switch role {
        case .authors: .author
        case .isbn10, .isbn13: .isbn
        case .dateStarted: .dateRead
        case .publicationDate: .publicationYear
        case .ignore: nil
        default: role
        }
    }

    /// Compares the plan for a modified file with the columns' true roles.
    private static func judge(
        _ file: RealFile, rows: [[String]], truth: [ColumnPlan.Column], roles: Set<ColumnRole>?,
        delimiter: Character = ",",
        into share: inout Share
    ) throws {
        let text = RealFile.text(rows, delimiter: delimiter)
        let plan: ColumnPlan
        do {
            plan = try LibraryReading(try LibraryTable(bytes: Array(text.utf8))).plan()
        } catch {
            share.mistakes.append("\(file.name): \(error)")
            share.judged += truth.count { $0.role != nil && $0.role != .ignore }
            return
        }
        let data = rows.dropFirst(plan.hasHeader ? 1 : 0)
        for (place, column) in truth.enumerated() where place < plan.columns.count {
            let (expected, found) = (family(column.role), family(plan.columns[place].role))
            let cells = data.map { place < $0.count ? CellText.value($0[place]) : "" }
            let isFilled = cells.contains { !$0.isEmpty }
            if found == .title || found == .isbn, found != expected, plan.columns[place].confidence > 0.6, isFilled {
                share.wrongTitles.append("\(file.name): \(column.header) is not \(found?.rawValue ?? "")")
            }
            guard let expected, isFilled, roles?.contains(expected) ?? true else { continue }
            share.judged += 1
            let twin = plan.columns.first { other in
                family(other.role) == expected
                    && zip(data, cells).allSatisfy {
                        CellText.value(other.index < $0.count ? $0[other.index] : "") == $1
                    }
            }
            if found == expected || twin != nil {
                share.right += 1
            } else {
                share.mistakes.append("\(file.name): \(column.header) (\(expected)) is \(found?.rawValue ?? "nothing")")
            }
        }
    }

    private static let allFiles = Result { try RealFile.names().compactMap { try? RealFile($0) } }

    private static func filesWithHeader() throws -> [RealFile] {
        try allFiles.get().filter { $0.plan.hasHeader }
    }

    private static func report(_ name: String, _ share: Share) {
        print("\(name): \(share.right) of \(share.judged) columns correct; wrong titles or ISBNs: \(share.wrongTitles)")
        for mistake in share.mistakes { print("  \(mistake)") }
    }

    @Test("if headers are removed, at least 95 % of the columns identifiable by their cells have the correct role")
    func headersRemoved() throws {
        var share = Share()
        for file in try Self.filesWithHeader() where file.rows.count > 2 {
            try Self.judge(
                file, rows: Array(file.rows.dropFirst()), truth: file.plan.columns, roles: Self.shownByContent,
                into: &share)
        }
        Self.report("without headers", share)
        #expect(share.percent >= 95)
        #expect(share.wrongTitles.isEmpty)
    }

    @Test(
        "if headers are removed and columns reordered, at least 92 % of the columns identifiable by their cells have the correct role",
        arguments: [1, 2])
    func shuffled(seed: Int) throws {
        var share = Share()
        for file in try Self.filesWithHeader() where file.rows.count > 2 {
            let order = Self.order(file.plan.columns.count, seed: seed)
            try Self.judge(
                file, rows: file.rows.dropFirst().map { row in order.map { $0 < row.count ? row[$0] : "" } },
                truth: order.map { file.plan.columns[$0] }, roles: Self.shownByContent, into: &share)
        }
        Self.report("without headers, shuffled (\(seed))", share)
        #expect(share.percent >= 92)
        #expect(share.wrongTitles.isEmpty)
    }

    @Test("if headers are meaningless, at least 95 % of the columns identifiable by their cells have the correct role")
    func nonsense() throws {
        var share = Share()
        for file in try Self.filesWithHeader() where file.rows.count > 2 {
            let header = file.plan.columns.indices.map { "xq\($0)zz" }
            try Self.judge(
                file, rows: [header] + file.rows.dropFirst(), truth: file.plan.columns, roles: Self.shownByContent,
                into: &share)
        }
        Self.report("nonsense headers", share)
        #expect(share.percent >= 95)
        #expect(share.wrongTitles.isEmpty)
    }

    @Test(
        "if columns with known headers are reordered, at least 98 % of all columns have the correct role",
        arguments: [1, 2])
    func knownHeadersShuffled(seed: Int) throws {
        var share = Share()
        for file in try Self.filesWithHeader() {
            let order = Self.order(file.plan.columns.count, seed: seed)
            try Self.judge(
                file, rows: file.rows.map { row in order.map { $0 < row.count ? row[$0] : "" } },
                truth: order.map { file.plan.columns[$0] }, roles: nil, into: &share)
        }
        Self.report("known headers, shuffled (\(seed))", share)
        #expect(share.percent >= 98)
        #expect(share.wrongTitles.isEmpty)
    }

    @Test(
        "if headers are translated, at least 98 % of all columns have the correct role",
        arguments: TranslatedHeaders.languages)
    func translated(language: String) throws {
        var share = Share()
        for file in try Self.filesWithHeader() {
            let kept = file.plan.columns.filter {
                TranslatedHeaders.header($0.role, language) != nil || $0.role == nil || $0.role == .ignore
            }
            let header = kept.map { TranslatedHeaders.header($0.role, language) ?? "xq\($0.index)zz" }
            let data = file.rows.dropFirst().map { row in kept.map { $0.index < row.count ? row[$0.index] : "" } }
            try Self.judge(file, rows: [header] + data, truth: kept, roles: nil, into: &share)
        }
        Self.report("headers in \(language)", share)
        #expect(share.percent >= 98)
        #expect(share.wrongTitles.isEmpty)
    }

    @Test("if the delimiter is changed, all columns keep their roles", arguments: [";", "\t", "|"] as [Character])
    func delimited(delimiter: Character) throws {
        var share = Share()
        for file in try Self.filesWithHeader() where file.plan.columns.count > 1 {
            try Self.judge(
                file, rows: file.rows, truth: file.plan.columns, roles: nil, delimiter: delimiter, into: &share)
        }
        Self.report("delimiter \(delimiter.debugDescription)", share)
        #expect(share.right == share.judged)
    }

    /// The columns' positions, shuffled with a seed.
    private static func order(_ count: Int, seed: Int) -> [Int] {
        var generator = SeededGenerator(seed: UInt64(seed))
        return (0..<count).shuffled(using: &generator)
    }
}

/// Headers for roles in some of the languages that the vocabulary covers.
enum TranslatedHeaders {
    static let languages = ["de", "fr", "es", "it", "nl", "pl", "ru", "sv", "pt"]

    private static let headers: [ColumnRole: [String]] = [
        .title: ["Titel", "Titre", "Título", "Titolo", "Titel", "Tytuł", "Название", "Titel", "Título"],
        .author: ["Autor", "Auteur", "Autor", "Autore", "Auteur", "Autor", "Автор", "Författare", "Autor"],
        .authors: [
            "Autoren", "Auteurs", "Autores", "Autori", "Auteurs", "Autorzy", "Авторы", "Författarna", "Autores",
        ],
        .isbn: ["ISBN", "ISBN", "ISBN", "ISBN", "ISBN", "ISBN", "ISBN", "ISBN", "ISBN"],
        .isbn10: ["ISBN-10", "ISBN-10", "ISBN-10", "ISBN-10", "ISBN-10", "ISBN-10", "ISBN-10", "ISBN-10", "ISBN-10"],
        .isbn13: ["ISBN-13", "ISBN-13", "ISBN-13", "ISBN-13", "ISBN-13", "ISBN-13", "ISBN-13", "ISBN-13", "ISBN-13"],
        .status: ["Lesestatus", "Statut", "Estado", "Stato", "Leesstatus", "Status", "Статус", "Lässtatus", "Estado"],
        .tags: [
            "Schlagwörter", "Étiquettes", "Etiquetas", "Etichette", "Trefwoorden", "Tagi", "Теги", "Taggar",
            "Etiquetas",
        ],
        .shelves: [
            "Regale", "Étagères", "Estanterías", "Scaffali", "Boekenplanken", "Półki", "Полки", "Hyllor", "Estantes",
        ],
        .rating: [
            "Bewertung", "Note", "Valoración", "Voto", "Waardering", "Ocena", "Оценка", "Betyg", "Classificação",
        ],
        .dateRead: [
            "Gelesen am", "Date de lecture", "Fecha de lectura", "Data lettura", "Gelezen op", "Data przeczytania",
            "Дата прочтения", "Läst datum", "Data de leitura",
        ],
        .dateAdded: [
            "Hinzugefügt am", "Date d'ajout", "Fecha añadido", "Data aggiunta", "Toegevoegd op", "Data dodania",
            "Дата добавления", "Tillagd", "Data de adição",
        ],
        .review: [
            "Rezension", "Critique", "Reseña", "Recensione", "Recensie", "Recenzja", "Отзыв", "Recension", "Resenha",
        ],
        .notes: [
            "Notizen", "Commentaires", "Notas", "Commenti", "Notities", "Notatki", "Заметки", "Anteckningar", "Notas",
        ],
        .publisher: [
            "Verlag", "Éditeur", "Editorial", "Editore", "Uitgever", "Wydawca", "Издатель", "Förlag", "Editora",
        ],
        .publicationYear: [
            "Erscheinungsjahr", "Année de publication", "Año de publicación", "Anno di pubblicazione",
            "Jaar van publicatie", "Rok wydania", "Год издания", "Publiceringsår", "Ano de publicação",
        ],
        .pageCount: [
            "Seiten", "Pages", "Páginas", "Pagine", "Pagina's", "Liczba stron", "Количество страниц", "Sidor",
            "Páginas",
        ],
        .language: ["Sprache", "Langue", "Idioma", "Lingua", "Taal", "Język", "Язык", "Språk", "Idioma"],
        .format: [
            "Einband", "Reliure", "Encuadernación", "Rilegatura", "Bindwijze", "Oprawa", "Переплёт", "Inbindning",
            "Encadernação",
        ],
        .series: ["Reihe", "Série", "Serie", "Collana", "Serie", "Seria", "Серия", "Serie", "Série"],
        .subtitle: [
            "Untertitel", "Sous-titre", "Subtítulo", "Sottotitolo", "Ondertitel", "Podtytuł", "Подзаголовок",
            "Undertitel", "Subtítulo",
        ],
    ]

    static func header(_ role: ColumnRole?, _ language: String) -> String? {
        guard let role, let headers = headers[role], let place = languages.firstIndex(of: language) else { return nil }
        return headers[place]
    }
}
