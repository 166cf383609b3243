import BookMetadata
import BookstrackContract
import Testing

@Suite("Normalizing single fields")
struct NormalizationTests {
    @Test(
        "a printed date keeps its precision",
        arguments: [
            ("2003", "2003"), ("2003-09", "2003-09"), ("2003-09-01", "2003-09-01"), ("Sept 2003", "2003-09"),
            ("Sep. 2003", "2003-09"), ("September 2003", "2003-09"), ("c1998", "1998"), ("©1998", "1998"),
            ("[1986]", "1986"), ("[1986?]", "1986"), ("1986?", "1986"), ("June 1st, 2010", "2010-06-01"),
            ("1st of June 2010", "2010-06-01"), ("1 June 2010", "2010-06-01"), ("July 28, 2008", "2008-07-28"),
            ("DECEMBER 31, 1993", "1993-12-31"), ("1998-09-01T00:00:00Z", "1998-09-01"),
            ("2019-10-03T00:00:00+02:00", "2019-10-03"), ("1998/9/1", "1998-09-01"), ("2003年5月1日", "2003-05-01"),
            ("12/31/2001", "2001-12-31"), ("31.12.2001", "2001-12-31"), ("05/05/2001", "2001-05-05"),
            ("03/2004", "2004-03"), ("1992-93", "1992"), ("1998-1999", "1998"), ("Spring 1999", "1999"),
            ("London, 1897", "1897"), ("1998*", "1998"), ("Feb 31, 2001", "2001-02"),
            ("February 29, 2000", "2000-02-29"),
        ])
    func dates(text: String, expected: String) {
        #expect(PublicationDate.normalize(text) == expected)
    }

    @Test(
        "a date whose day and month could be swapped keeps only its year",
        arguments: ["05/12/2001", "5-12-2001", "01.02.2003"])
    func ambiguousDates(text: String) {
        #expect(PublicationDate.normalize(text) == String(text.suffix(4)))
    }

    @Test(
        "text without a plausible four-digit year is not a date",
        arguments: ["", "19--", "198-", "n.d.", "June", "12/31/93", "20031", "unknown", "MCMXCVIII", "0000"])
    func noDates(text: String) {
        #expect(PublicationDate.normalize(text) == nil)
    }

    @Test(
        "language codes of different standards become two-letter codes",
        arguments: [
            ("en", "en"), ("eng", "en"), ("ger", "de"), ("deu", "de"), ("fre", "fr"), ("fra", "fr"), ("chi", "zh"),
            ("zho", "zh"), ("zh-CN", "zh"), ("pt-BR", "pt"), ("en_US", "en"), ("ENG", "en"), ("cze", "cs"),
            ("ces", "cs"),
            ("jpn", "ja"), ("rus", "ru"), ("heb", "he"), ("wel", "cy"), ("mao", "mi"), ("scr", "hr"), ("zul", "zu"),
            ("iw", "he"), ("in", "id"), ("mo", "ro"), ("bih", "bh"),
        ])
    func languages(code: String, expected: String) {
        #expect(LanguageCode.iso6391(code) == expected)
    }

    @Test(
        "unknown codes, and codes of languages that have no two-letter code, yield no code",
        arguments: ["", "und", "mul", "zxx", "grc", "enm", "xx", "English"])
    func noLanguages(code: String) {
        #expect(LanguageCode.iso6391(code) == nil)
    }

    @Test(
        "bindings map to the contract's formats",
        arguments: [
            ("Hardcover", EditionFormat.hardcover), ("hardback", .hardcover), ("Library Binding", .hardcover),
            ("Paperback", .paperback), ("Trade Paperback", .paperback), ("Softcover", .paperback),
            ("Mass Market Paperback", .massMarket), ("mass-market", .massMarket), ("E-book", .ebook),
            ("Electronic resource", .ebook), ("Kindle Edition", .ebook), ("Audio CD", .audiobook),
            ("Audiobook", .audiobook), ("MP3 CD", .audiobook), ("CD-ROM", .audiobook), ("Compact disc", .audiobook),
            ("CD", .audiobook), ("Paperback with CD-ROM", .paperback), ("Leather-bound", .hardcover),
            ("Bonded Leather", .hardcover), ("Leather Bound", .hardcover), ("Kindle (eBook)", .ebook),
            ("Adobe/ePub", .ebook), ("Paperback notebook", .paperback), ("Hardcover picture book", .hardcover),
        ])
    func formats(binding: String, expected: EditionFormat) {
        #expect(BookFormat.from(binding) == expected)
    }

    @Test(
        "a binding outside the five formats has no format",
        arguments: [
            "", "Calendar", "Map", "Unknown Binding", "Notebook", "Guidebook", "Phrasebook", "Picture book",
            "Republican",
        ])
    func noFormats(binding: String) {
        #expect(BookFormat.from(binding) == nil)
    }

    @Test(
        "descriptions become plain text",
        arguments: [
            ("A <b>bold</b> tale", "A bold tale"), ("One<br>two<br/>three", "One\ntwo\nthree"),
            ("<p>First.</p><p>Second.</p>", "First.\n\nSecond."), ("Tom &amp; Jerry &lt;3", "Tom & Jerry <3"),
            ("caf&eacute; &#233; &#xE9; &mdash; &unknown;", "café é é — &unknown;"),
            ("a < b and c > d", "a < b and c > d"),
            ("<!-- hidden -->seen", "seen"), ("<script>alert(1)</script>seen", "seen"), ("unclosed <b", "unclosed <b"),
            ("Text.\r\n\r\n----------\r\nAlso contained in: [X][1]", "Text."),
            ("Text [1].\n\n  [1]: http://x.org", "Text [1]."),
            ("  many   spaces\n\n\n\nlines ", "many spaces\n\nlines"), ("&amp;lt;", "&lt;"),
        ])
    func plainText(markup: String, expected: String) {
        #expect(PlainText.from(markup) == expected)
    }

    @Test(
        "Markdown links become their text, and links to the source are removed completely",
        arguments: [
            ("A tale. ([source][1])\n\n[1]: https://example.org", "A tale."),
            ("A tale ([Source](https://example.org/a_b)).", "A tale."),
            ("A tale. [source][1]", "A tale."), ("A tale. (Source: [Wikipedia][2])", "A tale."),
            ("The sequel to [Dune][1], by [him](https://example.org).", "The sequel to Dune, by him."),
            ("An [aside] (of [some] sort)", "An [aside] (of [some] sort)"),
        ])
    func links(markup: String, text: String) {
        #expect(PlainText.from(markup) == text)
    }

    @Test("an empty description counts as missing, and one that is too long is truncated")
    func plainTextBounds() {
        #expect(PlainText.from(" <p> </p>\n") == nil)
        let limit = PlainText.maxDescription
        #expect(PlainText.from(String(repeating: "é", count: 30_000))?.count == limit.characters)
        let marked = String(repeating: "a" + String(repeating: "\u{301}", count: 9), count: 30_000)
        #expect(PlainText.from(marked)?.utf8.count ?? 0 <= limit.bytes)
        #expect(PlainText.from("a" + String(repeating: "\u{301}", count: 100_000)) == nil)
    }

    @Test("only the first 100 000 characters of a description's markup are read")
    func longMarkup() {
        let lines = String(repeating: "<br>", count: 25_000)
        #expect(PlainText.from("Dune" + lines + "Messiah") == "Dune")
    }

    @Test("the length of a name, a subject or a comparison key is limited in bytes, however many marks a letter has")
    func manyMarks() {
        let marks = String(repeating: "\u{301}", count: 2_000)
        let marked = "a" + marks
        #expect(PersonName.clean(marked) == nil)
        #expect(PersonName.clean("Ann " + marked)?.utf8.count ?? 0 <= 800)
        #expect(SubjectTags.normalize([marked, "Fiction / \(marked)", "Poetry"]) == ["Poetry"])
        #expect(SubjectTags.normalize(["a" + String(repeating: "\u{301}", count: 300)]) == [])
        #expect(MatchKey.phrase("क" + String(repeating: "\u{93F}", count: 5_000)).utf8.count <= 8_000)
        #expect(PublicationDate.normalize("June\(marks) 1990") == nil)
    }

    @Test(
        "after a single letter, “++” belongs to the word, and so does “+” or “#” unless a cased letter or digit follows",
        arguments: [
            ("C++, C# and A+", "c++ c# and a+"), ("C++17", "c++ 17"), ("C#-Programmierung", "c# programmierung"),
            ("Objective-C++", "objective c++"), ("Einführung in C++", "einfuhrung in c++"),
            ("Ｃ＃入門", "c# 入門"), ("C♯ 4.0", "c# 4 0"), ("A+B", "a b"), ("Google+", "google"),
            ("Harry Potter #1", "harry potter 1"), ("Saga#1", "saga 1"), ("Vitamin C#1", "vitamin c 1"), ("# +", ""),
        ])
    func signs(text: String, folded: String) {
        #expect(MatchKey.phrase(text) == folded)
    }

    @Test("a character reference whose name has combining marks is left unchanged")
    func markedReferences() {
        let marked = "&a" + String(repeating: "\u{301}", count: 2_000) + "acute;"
        for text in ["&a\u{323}acute;", marked] { #expect(PlainText.from(text) == text) }
    }

    @Test(
        "text with many unclosed tags, comments or references is parsed in linear time", .timeLimit(.minutes(1)),
        arguments: ["<a", "<!--", "<script>", "&"])
    func unclosedMarkup(piece: String) {
        // Searching for an end after each start would take minutes.
        let markup = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
        #expect(PlainText.from("Dune" + markup)?.hasPrefix("Dune") == true)
    }

    @Test(
        "placeholder entries are not authors",
        arguments: ["Unknown", "VARIOUS", "Anonymous", "Various Authors", "N/A", "Неизвестный автор", " "])
    func pseudoAuthors(name: String) {
        #expect(PersonName.clean(name) == nil)
    }

    @Test(
        "markup without text is not a description",
        arguments: ["", " \n ", "<p></p>", "-----", "&nbsp;", "<br><br>", "[1]: http://x"])
    func noText(markup: String) {
        #expect(PlainText.from(markup) == nil)
    }

    @Test("white space of various kinds becomes one space, and adjacent letters stay together")
    func whiteSpace() {
        #expect(PlainText.from("\u{3000}銀河\u{3000}鉄道\u{A0} é\u{2009}ñ\u{85}à\u{205F}") == "銀河 鉄道 é ñ à")
    }

    @Test("U+0000 in a provider's text becomes a space")
    func zeroCharacter() throws {
        #expect(PlainText.from("A\0tale\0") == "A tale")
        #expect(PersonName.clean("Frank\0Herbert") == "Frank Herbert")
        let volume = #"{"id": "a", "volumeInfo": {"title": "Dune\u0000 Messiah"}}"#
        #expect(try GoogleBooks.volume(volume.utf8).title == "Dune Messiah")
    }
}
