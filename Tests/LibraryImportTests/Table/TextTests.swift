import Foundation
import LibraryImport
import Testing

@Suite("Text decoding of library files")
struct LibraryTextTests {
    private static let title = "Title,Author\nLéon,Émile Zola\nDie Wörter,Müller\n"
    private static let rows = [["Title", "Author"], ["Léon", "Émile Zola"], ["Die Wörter", "Müller"]]

    private static func utf16(_ text: String, isBigEndian: Bool, marked: Bool) -> [UInt8] {
        ((marked ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    /// A text in a single-byte encoding; characters missing from the table are rejected.
    private static func bytes(_ text: String, _ upper: [Character: UInt8]) throws -> [UInt8] {
        try text.map { try $0.asciiValue ?? #require(upper[$0]) }
    }

    private static let western = Dictionary(
        uniqueKeysWithValues: (0xA0...0xFF).map { (Character(Unicode.Scalar($0)), $0) } as [(Character, UInt8)])

    @Test("a byte order mark is not part of the first cell")
    func utf8Mark() throws {
        let table = try ReadTable([0xEF, 0xBB, 0xBF] + Array(Self.title.utf8))
        #expect(table.shape.encoding == .utf8)
        #expect(table.cells == Self.rows)
    }

    @Test(
        "UTF-16 is read in both byte orders, with and without a byte order mark", arguments: [true, false],
        [true, false])
    func utf16(_ isBigEndian: Bool, _ marked: Bool) throws {
        let table = try ReadTable(Self.utf16(Self.title + "📚,Ōe\n", isBigEndian: isBigEndian, marked: marked))
        #expect(table.shape.encoding == (isBigEndian ? .utf16BigEndian : .utf16LittleEndian))
        #expect(table.cells == Self.rows + [["📚", "Ōe"]])
    }

    @Test("a lone surrogate makes its cell undecodable")
    func loneSurrogate() throws {
        var bytes = Self.utf16(Self.title, isBigEndian: false, marked: true)
        bytes += [0x41, 0x00, 0x00, 0xD8, 0x2C, 0x00, 0x42, 0x00]
        let table = try ReadTable(bytes)
        #expect(table.cells.last == ["A␦", "B"])
        #expect(table.problems == [RowProblem(.undecodable, column: 0)])
    }

    @Test("characters that Windows-1252 has and Latin-1 lacks are decoded")
    func windows1252() throws {
        var upper = Self.western
        upper["’"] = 0x92
        upper["œ"] = 0x9C
        let table = try ReadTable(try Self.bytes("Titre;Auteur\nL’œuvre;Émile Zola\nÀ bientôt;Camus\n", upper))
        #expect(table.shape.encoding == .windows1252)
        #expect(table.cells == [["Titre", "Auteur"], ["L’œuvre", "Émile Zola"], ["À bientôt", "Camus"]])
    }

    @Test(
        "text in Western languages is decoded as Windows-1252",
        arguments: [
            "Die Brüder Karamasow;Der Prozeß;Größe und Müh", "Cien años de soledad;Niñas y niños;La razón",
            "Memórias póstumas;A Paixão segundo G.H.;São Bernardo", "Cosí è la città;La libertà;Perché",
            "Pippi Långstrump;Röda rummet;Gösta Berlings saga", "Brændende kærlighed;Ødegården;Åndernes hus",
            "Seitsemän veljestä;Täällä Pohjantähden alla", "Sjálfstætt fólk;Þingvellir;Íslensk orðabók",
        ])
    func westernLanguages(_ titles: String) throws {
        let text = "Titel\n" + titles.split(separator: ";").joined(separator: "\n") + "\n"
        let table = try ReadTable(try Self.bytes(text, Self.western))
        #expect(table.shape.encoding == .windows1252)
        #expect(table.cells.flatMap { $0 }.dropFirst().joined(separator: ";") == titles)
    }

    @Test("text with Central European letters is decoded as Windows-1250")
    func windows1250() throws {
        let upper: [Character: UInt8] = [
            "ą": 0xB9, "ć": 0xE6, "ę": 0xEA, "ł": 0xB3, "ń": 0xF1, "ó": 0xF3, "ś": 0x9C, "ź": 0x9F, "ż": 0xBF,
            "Ż": 0xAF, "Ł": 0xA3,
            "ě": 0xEC, "š": 0x9A, "č": 0xE8, "ř": 0xF8, "ž": 0x9E, "ý": 0xFD, "á": 0xE1, "í": 0xED, "é": 0xE9,
            "ů": 0xF9,
            "ő": 0xF5, "ű": 0xFB, "ö": 0xF6, "ü": 0xFC, "ú": 0xFA, "ă": 0xE3, "ş": 0xBA, "ţ": 0xFE, "î": 0xEE,
            "â": 0xE2,
        ]
        for titles in [
            ["Wiedźmin", "Opowieść o miłości i mroku", "Księgi Jakubowe", "Żona podróżnika w czasie"],
            [
                "Nesnesitelná lehkost bytí", "Příliš hlučná samota",
                "Osudy dobrého vojáka Švejka".replacing("Š", with: "S"),
            ],
            ["Sorstalanság", "A Pál utcai fiúk", "Az ajtó", "Tündérkert", "Fekete gyűrű", "Hősök"],
            ["Pădurea spânzuraţilor", "Moromeţii", "Întoarcerea fiului".replacing("Î", with: "I"), "şi mâine"],
        ] {
            let table = try ReadTable(try Self.bytes("Tytul\n" + titles.joined(separator: "\n") + "\n", upper))
            #expect(table.shape.encoding == .windows1250)
            #expect(table.cells.dropFirst().map { $0[0] } == titles)
        }
    }

    @Test("text with Cyrillic letters is decoded as Windows-1251")
    func windows1251() throws {
        let letters = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя"
        var upper = Dictionary(uniqueKeysWithValues: zip(letters, UInt8(0xC0)...0xFF))
        (upper["і"], upper["ї"], upper["є"]) = (0xB3, 0xBF, 0xBA)
        for titles in [["Война и мир", "Мастер и Маргарита"], ["Тіні забутих предків", "Кайдашева сім я"]] {
            let table = try ReadTable(try Self.bytes("Title\n" + titles.joined(separator: "\n") + "\n", upper))
            #expect(table.shape.encoding == .windows1251)
            #expect(table.cells.dropFirst().map { $0[0] } == titles)
        }
    }

    @Test(
        "text that Excel for Mac saved as CSV is decoded as Mac Roman",
        arguments: [
            "Der Prozeß;Die Mädchen;Über Bücher", "Les Misérables;La Bête humaine;L’Étranger;À rebours",
            "Cien años de soledad;Los clásicos;Los límites", "Don’t Look Back;The Handmaid’s Tale;Brontë",
        ])
    func macRoman(_ titles: String) throws {
        let upper: [Character: UInt8] = [
            "Ü": 0x86, "á": 0x87, "ä": 0x8A, "é": 0x8E, "ê": 0x90, "ë": 0x91, "í": 0x92, "ñ": 0x96, "ü": 0x9F,
            "ß": 0xA7, "À": 0xCB, "’": 0xD5, "É": 0x83,
        ]
        let text = "Title\r" + titles.split(separator: ";").joined(separator: "\r") + "\r"
        let table = try ReadTable(try Self.bytes(text, upper))
        #expect(table.shape.encoding == .macRoman)
        #expect(table.cells.flatMap { $0 }.dropFirst().joined(separator: ";") == titles)
    }

    @Test("capital letters at the start of words do not make a text Mac Roman")
    func noMacRoman() throws {
        let titles = ["Šifra", "Žena", "Œuvres", "Õhtu rahu", "MÕISTATUS", "‘Emma’ – „Dune“"]
        let upper: [Character: UInt8] = [
            "Š": 0x8A, "Ž": 0x8E, "Œ": 0x8C, "Õ": 0xD5, "‘": 0x91, "’": 0x92, "–": 0x96, "„": 0x84, "“": 0x93,
        ]
        let table = try ReadTable(try Self.bytes("Title\n" + titles.joined(separator: "\n") + "\n", upper))
        #expect(table.shape.encoding != .macRoman)
    }

    /// Titles in an East Asian encoding, which Foundation converts from Unicode.
    struct MultibyteText: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let encoding: String.Encoding
        let titles: String

        /// - Parameter code: The encoding's number in Core Foundation (CFStringEncodingExt.h).
        init(_ name: String, _ code: UInt, _ titles: String) {
            (testDescription, self.titles) = (name, titles)
            encoding = String.Encoding(rawValue: 0x8000_0000 | code)
        }

        static let all = [
            MultibyteText("Shift_JIS", 0x0A01, "ノルウェイの森,村上春樹\n吾輩は猫である,夏目漱石\n銀河鉄道の夜,宮沢賢治\n"),
            MultibyteText("GBK", 0x0632, "三体,刘慈欣\n红楼梦,曹雪芹\n平凡的世界,路遥\n百年孤独,马尔克斯\n"),
            MultibyteText("EUC-KR", 0x0940, "채식주의자,한강\n소년이 온다,한강\n엄마를 부탁해,신경숙\n"),
            MultibyteText("Big5", 0x0A03, "天龍八部,金庸\n城南舊事,林海音\n撒哈拉的故事,三毛\n挪威的森林,村上春樹\n"),
        ]
    }

    @Test(
        "text in an East Asian encoding other than Unicode is refused instead of being decoded as letters",
        arguments: MultibyteText.all)
    func multibyte(_ text: MultibyteText) throws {
        let rows = Array(try #require(text.titles.data(using: text.encoding)))
        let header = Array("Title,Author\nDune,Frank Herbert\n".utf8)
        #expect(throws: LibraryFileFault.multibyteText) { try LibraryTable(bytes: header + rows) }
    }

    @Test("letters and apostrophes that could be pairs of bytes do not make a text East Asian")
    func noMultibyte() throws {
        var upper = Self.western
        upper["’"] = 0x92
        let titles = [
            "Don’t Make Me Think", "It’s Kind of a Funny Story", "Ender’s Game", "L’Étranger", "Émile", "Être et avoir",
            "Ägypten", "Århus", "Åndernes hus", "Écume", "Ça m’est égal", "Ödön", "Gödel",
        ]
        let table = try ReadTable(try Self.bytes("Title\n" + titles.joined(separator: "\n") + "\n", upper))
        #expect(table.shape.encoding == .windows1252)
        #expect(table.cells.dropFirst().map { $0[0] } == titles)
    }

    @Test("UTF-8 cells in a file with another encoding do not make it East Asian")
    func mixedNotMultibyte() throws {
        let other = try Self.bytes("Título\nCien años\nMañana\nNiño\nSeñor\n", Self.western)
        let table = try ReadTable(other + Array("Bröché, éèüö\nétéöçñ\nöäüé\n".utf8))
        #expect(table.shape.encoding == .windows1252)
    }

    @Test("text that was wrongly decoded once or twice is repaired")
    func mojibake() throws {
        let table = try ReadTable(
            "Title,Form,Place\nMarelle,BrochÃ©,CortÃ¡zar\nItâ€™s,Å\u{81}Ã³dÅº,ÐœÐ¾Ñ\u{81}ÐºÐ²Ð°\nTwice,BrochÃƒÂ©,Zoë\n")
        #expect(table.cells[1] == ["Marelle", "Broché", "Cortázar"])
        #expect(table.cells[2] == ["It’s", "Łódź", "Москва"])
        #expect(table.cells[3] == ["Twice", "Broché", "Zoë"])
        #expect(table.problems.map(\.kind).allSatisfy { $0 == .encodingRepaired })
        #expect(table.problems.count == 6)
    }

    @Test(
        "text that only looks like mojibake is unchanged",
        arguments: [
            "Viel Spaß…", "IRMÃ”", "Ångström", "“Ó”", "Þæö", "ÀÈÌ", "Ça va»", "Öÿ", "Ã", "«\u{A0}Liberté\u{A0}»",
            "«\u{A0}Et voilà\u{A0}» et «\u{A0}Café\u{A0}»", "«Un café…»", "«Así… no está…»", "“Bébé…”", "„Così…“",
            "MAIS OÙ\u{A0}?", "OÙ\u{A0}es-tu", "HYVÄ… PÄIVÄ…", "ERES TÚ… SIEMPRE TÚ…", "“MAÇÃ” E “IRMÃ”",
            "JYVÄSKYLÄ–TAMPERE", "OÙ… OÙ…", "PERÚ’S", "PERÚ’s", "IRMÃ’S", "SHÎ‘A", "OÙ…es-tu", "«Noé»…et",
        ])
    func noMojibake(_ title: String) throws {
        let table = try ReadTable("Title,Author\n\(title),Zoë\n")
        #expect(table.cells[1] == [title, "Zoë"])
        #expect(table.problems == [])
    }

    @Test("normal text that looks like mojibake is also unchanged in a file with another encoding")
    func westernQuotations() throws {
        let title = "«\u{A0}Liberté\u{A0}»"
        let table = try ReadTable(try Self.bytes("Titre;Auteur\n\(title);Éluard\nCapitale;Éluard\n", Self.western))
        #expect(table.shape.encoding == .windows1252)
        #expect(table.cells[1] == [title, "Éluard"])
        #expect(table.problems == [])
    }

    @Test(
        "a single wrongly decoded letter is repaired if it is inside a word",
        arguments: [
            ("cÅ“ur", "cœur"), ("Å’uvres", "Œuvres"), ("Ã–sterreich", "Österreich"), ("erdÅ‘", "erdő"),
            ("ESPAÃ‘A", "ESPAÑA"), ("Nguyá»…n", "Nguyễn"), ("Ã\u{A0} la carte", "à la carte"),
            ("Å\u{A0}koda", "Škoda"),
        ])
    func mojibakeInsideWord(_ title: String, _ repaired: String) throws {
        let table = try ReadTable("Title,Author\n\(title),Zoë\n")
        #expect(table.cells[1] == [repaired, "Zoë"])
    }

    @Test("a UTF-8 cell in a file with another encoding is decoded as UTF-8")
    func mixed() throws {
        let rest = try Self.bytes("Título,Tipo\nCien años,Ção\nMañana,Niño\n", Self.western)
        let table = try ReadTable(rest + Array("Rayuela,Broché\n".utf8))
        #expect(table.shape.encoding == .windows1252)
        #expect(
            table.cells == [["Título", "Tipo"], ["Cien años", "Ção"], ["Mañana", "Niño"], ["Rayuela", "Broché"]])
        #expect(table.problems == [RowProblem(.encodingRepaired, column: 1)])
    }

    @Test("a cell with another encoding in a UTF-8 file is repaired")
    func damagedCell() throws {
        let many = (0..<20).map { "Año \($0),Niño\n" }.joined()
        let table = try ReadTable(Array(many.utf8) + [0x42, 0x72, 0x6F, 0x63, 0x68, 0xE9, 0x2C, 0x78, 0x0A])
        #expect(table.shape.encoding == .utf8)
        #expect(table.cells.last == ["Broché", "x"])
        #expect(table.problems == [RowProblem(.encodingRepaired, column: 0)])
    }

    @Test("a file that ends in the middle of a character is still recognized as UTF-8")
    func cutCharacter() throws {
        let whole = Array("Title,Author\nJane Eyre,Zoë\nEmma,שָׁ".utf8)
        let table = try ReadTable(Array(whole.dropLast()))
        #expect(table.shape.encoding == .utf8)
        #expect(table.cells[1] == ["Jane Eyre", "Zoë"])
    }

    @Test("a replacement character in the file is reported, and replaced with a symbol")
    func replacement() throws {
        let table = try ReadTable("Title,Author\nF\u{FFFD}r Anf\u{FFFD}nger,Zoë\nFuÃ¯Â¿Â½,x\n")
        #expect(table.cells[1] == ["F␦r Anf␦nger", "Zoë"])
        #expect(table.cells[2] == ["Fu␦", "x"])
        #expect(table.problems == [RowProblem(.undecodable, column: 0), RowProblem(.undecodable, column: 0)])
    }
}
