import LibraryImport
import Testing

@testable import struct LibraryImport.CellShape

/// Lines of text, prose and lists of words as they occur in cells.
@Suite("Text cells")
struct TextCellTests {
    @Test(
        "a line loses line breaks, repeated spaces, invisible characters and the wrapping that spreadsheets add",
        arguments: [
            ("Emma", "Emma"), ("  Emma  ", "Emma"), ("Terry  Pratchett", "Terry Pratchett"), ("a\tb", "a b"),
            ("a\nb", "a b"), ("a\r\nb", "a b"), ("=\"Emma\"", "Emma"), ("=\"\"", ""), ("\"=\"\"Emma\"\"\"", "Emma"),
            ("a\u{A0}b", "a b"), ("a\u{1680}b", "a b"), ("a\u{2003}b", "a b"), ("\u{FEFF}Emma", "Emma"),
            ("Nguyễn  Ba", "Nguyễn Ba"), ("a\u{200B}b", "ab"), ("Nacht\u{AD}zug", "Nachtzug"),
            ("Nacht&shy;zug", "Nachtzug"), ("a\u{7}b", "ab"), ("E=mc²", "E=mc²"),
            ("\"Emma\"", "\"Emma\""), ("", ""), (" ", ""),
        ])
    func lines(cell: String, text: String) {
        #expect(CellText.line(cell) == text)
    }

    @Test(
        "a Google Books volume identifier has twelve characters: letters, digits, hyphens and underscores",
        arguments: [
            ("zyTCAlFPjgYC", true), ("a-b_CDEF-123", true), ("abc[DEF]ghij", false), ("abc^DEFghijk", false),
            ("abc`DEFghijk", false), ("abc\\DEFghijk", false), ("abc DEFghijk", false), ("zyTCAlFPjgY", false),
        ])
    func volumes(cell: String, isVolume: Bool) {
        #expect(CellShape(cell).isVolume == isVolume)
    }

    @Test(
        "character references become characters, and unknown references are left unchanged",
        arguments: [
            ("Rock &amp; Roll", "Rock & Roll"), ("&quot;Emma&quot;", "\"Emma\""), ("&lt;b&gt;", "<b>"),
            ("Caf&eacute;", "Café"), ("Stra&szlig;e", "Straße"), ("&#233;", "é"), ("&#xE9;", "é"), ("&#XE9;", "é"),
            ("&#128218;", "📚"), ("It&#39;s", "It's"), ("a&nbsp;b", "a b"), ("AT&T", "AT&T"), ("a & b", "a & b"),
            ("&bogus;", "&bogus;"), ("&amp", "&amp"), ("&;", "&;"), ("&#;", "&#;"), ("&#+65;", "&#+65;"),
            ("&amp;\u{301}", "&\u{301}"), ("&#xD800;", "&#xD800;"),
            ("&#1114112;", "&#1114112;"), ("&#0;", "&#0;"), ("&&amp;", "&&"), ("&amp;amp;", "&amp;"),
            ("Ender&#146;s Game", "Ender’s Game"), ("1920&#150;1992", "1920–1992"), ("&#x93;Emma&#x94;", "“Emma”"),
            ("&#129;", "&#129;"), ("&#127;", "&#127;"), ("One&#13;&#10;two", "One two"), ("One&#9;two", "One two"),
        ])
    func references(cell: String, text: String) {
        #expect(CellText.line(cell) == text)
    }

    @Test(
        "the tags of formatted text are removed from a line, and other angle brackets are left unchanged",
        arguments: [
            ("<i>Emma</i> &amp; Co", "Emma & Co"), ("Jane <b>Austen</b>", "Jane Austen"), ("H<sub>2</sub>O", "H2O"),
            ("<span class=\"title\">Emma</span>", "Emma"), ("Emma<br/>A Novel", "Emma A Novel"), ("<3", "<3"),
            ("A < B > C", "A < B > C"), ("I <3 <i>Emma</i>", "I <3 Emma"), ("List<String>", "List<String>"),
            ("<i", "<i"), ("&lt;i&gt;Emma&lt;/i&gt;", "<i>Emma</i>"), ("<b>", "<b>"), ("Box<B>", "Box<B>"),
            ("<Small Gods>", "<Small Gods>"), ("<I>Box</I><B>", "Box<B>"), ("</i>Emma", "Emma"),
        ])
    func tags(cell: String, text: String) {
        #expect(CellText.line(cell) == text)
    }

    @Test(
        "text with many tags that are never closed is read in linear time", .timeLimit(.minutes(1)),
        arguments: ["<a", "</a", "<i x"])
    func unclosedTags(piece: String) {
        // Searching for an end after each of the starts would take minutes.
        let cell = String(repeating: piece, count: 1 << 20)
        #expect(CellText.line(cell) == cell)
        #expect(CellText.prose(cell) == cell)
    }

    @Test("a tag ends at the first closing bracket after its name, if it is at most 2048 bytes long")
    func endsOfTags() {
        #expect(CellText.prose("<i <i>Emma</i>") == "Emma")
        #expect(CellText.prose("<b>Emma</b") == "Emma</b")
        let longest = "<i" + String(repeating: "x ", count: 1_022) + " "
        #expect(CellText.prose(longest + ">Emma") == "Emma")
        #expect(CellText.prose(longest + " >Emma").hasSuffix("x >Emma"))
    }

    @Test(
        "a review keeps its line breaks, and its markup is removed",
        arguments: [
            ("One<br>two<br/>three<BR />four", "One\ntwo\nthree\nfour"), ("<p>One</p><p>Two</p>", "One\n\nTwo"),
            ("<i>One</i> <b>two</b>", "One two"), ("<a href=\"https://a.example/?x=1&y=2\">link</a>", "link"),
            ("<ul><li>One</li><li>Two</li></ul>", "One\n\nTwo"), ("One\n\n\n\nTwo", "One\n\nTwo"),
            ("\n\nOne\n\n", "One"), ("1 < 2 > 0", "1 < 2 > 0"), ("<3 this book", "<3 this book"),
            ("a <unfinished", "a <unfinished"), ("&lt;b&gt;bold&lt;/b&gt;", "<b>bold</b>"), ("", ""),
        ])
    func prose(cell: String, text: String) {
        #expect(CellText.prose(cell) == text)
    }

    @Test(
        "a placeholder is not a value, and brackets around a value and an apostrophe before it are removed",
        arguments: [
            ("N/A", ""), ("n/a", ""), ("null", ""), ("NONE", ""), ("nan", ""), ("-", ""), ("—", ""), ("?", ""),
            ("Not Available", ""), ("unknown", ""), ("undefined", ""), ("[0451524934]", "0451524934"), ("[]", ""),
            ("'0439708184", "0439708184"), ("’12", "12"), ("Unknown Soldiers", "Unknown Soldiers"), ("0", "0"),
        ])
    func values(cell: String, value: String) {
        #expect(CellText.value(cell) == value)
    }

    @Test(
        "a list is split at only one kind of separator, chosen by precedence, and loses duplicates and shelf positions",
        arguments: [
            ("a, b, c", ["a", "b", "c"]), ("a; b, c", ["a", "b, c"]), ("a|b", ["a", "b"]), ("a|||||b", ["a", "b"]),
            ("a\nb", ["a", "b"]), ("a", ["a"]), ("a, a, b", ["a", "b"]), (",a,,b,", ["a", "b"]), ("", []), (" , ", []),
            ("to-read (#3), classics (#120)", ["to-read", "classics"]), ("vol (#x)", ["vol (#x)"]),
        ])
    func words(cell: String, words: [String]) {
        #expect(WordList.words(cell) == words)
    }

    @Test(
        "lists in BooksTrack's own CSV keep separators inside their entries",
        arguments: [
            ("a; b", ["a", "b"]), ("a;;b; c", ["a;b", "c"]), ("a", ["a"]), ("", []), ("a, b; c", ["a, b", "c"]),
        ])
    func ownLists(cell: String, entries: [String]) {
        #expect(WordList.ownEntries(cell) == entries)
    }

    @Test(
        "text comparison ignores case and invisible characters, and punctuation counts as spaces",
        arguments: [
            ("Emma!", "emma"), ("  The  Lord—of the Rings ", "the lord of the rings"), ("ÉCOLE", "école"),
            ("ISBN#", "isbn"), ("Date d`entrée", "date d entrée"), ("ПРИВЕТ, мир", "привет мир"), ("書名：", "書名"),
            ("a\u{200D}b", "ab"), ("…", ""), ("", ""), ("Nº 1", "nº 1"),
        ])
    func folded(text: String, folded: String) {
        #expect(FoldedText.fold(text) == folded)
    }

    @Test(
        "accents are removed from Latin letters, but not from Cyrillic ones",
        arguments: [
            ("école", "ecole"), ("título", "titulo"), ("łódź", "lodz"), ("straße", "straße"), ("книга", "книга"),
            ("й", "й"),
        ])
    func withoutMarks(text: String, plain: String) {
        #expect(FoldedText.withoutMarks(text) == plain)
    }
}
