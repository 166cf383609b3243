import BookMetadata
import Testing

/// Provider descriptions as text: character references, tags and layouts that occur in responses.
@Suite("Converting descriptions to plain text")
struct DescriptionTextTests {
    @Test(
        "a named character reference becomes its character if it is known, and is otherwise left unchanged",
        arguments: [
            ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&ndash;", "–"),
            ("&mdash;", "—"), ("&hellip;", "…"), ("&lsquo;", "‘"), ("&rsquo;", "’"), ("&ldquo;", "“"), ("&rdquo;", "”"),
            ("&laquo;", "«"), ("&raquo;", "»"), ("&bull;", "•"), ("&middot;", "·"), ("&copy;", "©"), ("&reg;", "®"),
            ("&trade;", "™"), ("&deg;", "°"), ("&times;", "×"), ("&frac12;", "½"), ("&euro;", "€"), ("&pound;", "£"),
            ("&yen;", "¥"), ("&sect;", "§"), ("&iexcl;", "¡"), ("&iquest;", "¿"), ("&szlig;", "ß"), ("&aelig;", "æ"),
            ("&AElig;", "Æ"), ("&oslash;", "ø"), ("&aring;", "å"), ("&ccedil;", "ç"), ("&ntilde;", "ñ"),
            ("&oelig;", "œ"),
            ("&eth;", "ð"), ("&thorn;", "þ"), ("&eacute;", "é"), ("&Eacute;", "É"), ("&agrave;", "à"), ("&ecirc;", "ê"),
            ("&uuml;", "ü"), ("&Ouml;", "Ö"), ("&atilde;", "ã"), ("&iuml;", "ï"), ("&scaron;", "&scaron;"),
        ])
    func references(reference: String, character: String) {
        #expect(PlainText.from("a\(reference)b") == "a\(character)b")
    }

    @Test(
        "numbers from 128 to 159 stand for the characters of Windows-1252",
        arguments: [
            ("Ender&#146;s Game", "Ender’s Game"), ("1920&#150;1992", "1920–1992"), ("&#x93;Dune&#x94;", "“Dune”"),
            ("&#128;5", "€5"), ("Pia&#159;", "PiaŸ"),
        ])
    func windowsReferences(text: String, expected: String) {
        #expect(PlainText.from(text) == expected)
    }

    @Test(
        "references to white space become white space",
        arguments: [("One.&#13;\nTwo.", "One.\nTwo."), ("One&#9;two", "One two"), ("One.&#10;Two.", "One.\nTwo.")])
    func whiteSpaceReferences(text: String, expected: String) {
        #expect(PlainText.from(text) == expected)
    }

    @Test(
        "an invalid character reference is left unchanged",
        arguments: [
            "a & b", "AT&T", "&nonsense;", "&;", "&#;", "&#x;", "&#xZZ;", "&#55296;", "&#1114112;", "&#0;", "&amp",
            "&#7;", "&#127;", "&#129;",
            "x&y;z",
        ])
    func noReferences(text: String) {
        #expect(PlainText.from(text) == text)
    }

    @Test(
        "block tags separate lines, and other tags are removed",
        arguments: [
            ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("<div>One</div>Two", "One\nTwo"),
            ("<h1>Dune</h1>A tale.", "Dune\nA tale."),
            ("<ul><li>One</li><li>Two</li></ul>", "One\n\nTwo"), ("One<br>Two<br /><br/>Three", "One\nTwo\n\nThree"),
            ("<i>Dune</i> by <b>Herbert</b>", "Dune by Herbert"), ("<span class=\"x>y\">One</span>", "y\">One"),
            ("<a href='x'>One</a>", "One"), ("<STYLE>p { color: red }</STYLE>One", "One"), ("<unknown/>One", "One"),
            ("One <3 two", "One <3 two"), ("1 < 2", "1 < 2"), ("<>", "<>"), ("</p>One", "One"),
        ])
    func tags(markup: String, text: String) {
        #expect(PlainText.from(markup) == text)
    }

    @Test(
        "text after a line of at least five hyphens is a note from a catalog and is removed",
        arguments: [
            ("A tale.\n----------\nAlso in: [X][1]", "A tale."), ("A tale.\n-----", "A tale."),
            ("A tale.\n----\nMore.", "A tale.\n----\nMore."),
            ("One - two -- three", "One - two -- three"),
        ])
    func notes(markup: String, text: String) {
        #expect(PlainText.from(markup) == text)
    }

    @Test(
        "consecutive empty lines become one, and so do consecutive spaces",
        arguments: [
            ("One\n\n\n\nTwo", "One\n\nTwo"), ("\n\nOne\n\n", "One"), ("One  \t two", "One two"),
            ("One\r\nTwo", "One\nTwo"),
            ("  One", "One"), ("One\u{A0}\u{A0}two", "One two"),
        ])
    func spaces(markup: String, text: String) {
        #expect(PlainText.from(markup) == text)
    }
}
