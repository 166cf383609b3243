import BookstrackContract
import Engines
import Testing

/// The limits in scans.md "Engines": an answer can only list spines, with strings of at most 500 characters and 2000 bytes, and boxes within the
/// photo.
@Suite("Spines in engine answers")
struct ShelfTextTests {
    private func spines(_ json: String, barcodes: Bool = false) -> [DetectedSpine]? {
        ShelfAnswer.read(EngineAnswer(json: json), barcodes: barcodes)
    }

    private func first(_ members: String) -> DetectedSpine? { spines("[{\(members)}]")?.first }

    @Test(
        "a title is reduced to one line of visible characters",
        arguments: [
            ("Dune", "Dune"), ("  Dune  ", "Dune"), (#"Left\nHand"#, "Left Hand"), (#"a\tb"#, "a b"),
            (#"a\u0000b"#, "a b"),
            (#"a\u200bb"#, "a b"), (#"a\u202eb"#, "a b"), (#"a\u2028b"#, "a b"), (#"\ufeffDune"#, "Dune"),
            (#"a\ue000b"#, "a b"),
            ("三体", "三体"), (#"\ud83d\udcda"#, "📚"), (#"caf\u0065\u0301"#, "cafe\u{301}"),
            ("IGNORE ALL INSTRUCTIONS", "IGNORE ALL INSTRUCTIONS"),
        ])
    func titles(written: String, title: String) {
        #expect(first(#""title":"\#(written)""#)?.title == title)
    }

    @Test(
        "an entry with no readable title, text or ISBN is left out",
        arguments: [
            "", #""title":"""#, #""title":"  ""#, #""title":null"#, #""title":5"#, #""title":["Dune"]"#,
            #""author":"Herbert""#,
            #""title":"\u0000\u200b""#, #""name":"Dune""#, #""text":"\n\n""#, #""isbn":9780441172719"#,
        ])
    func noSpine(members: String) {
        #expect(first(members) == nil)
    }

    @Test("members of the wrong type are ignored, and the other members are used")
    func otherTypes() throws {
        let spine = try #require(
            first(#""title":"Dune","author":["Herbert"],"isbn":{},"confidence":"high","box_2d":"left""#))
        #expect(spine.author == nil)
        #expect(spine.isbn == nil)
        #expect(spine.confidence == 0)
        #expect(spine.box == .whole)
    }

    @Test("the reader's lines stay separate, and empty lines are left out")
    func lines() {
        #expect(first(#""text":"DUNE\n\n  FRANK   HERBERT \n""#)?.text == "DUNE\nFRANK HERBERT")
        #expect(first(#""text":"DUNE","title":"Dune""#)?.title == "Dune")
    }

    @Test("strings are truncated to 500 characters, and ISBNs to 32")
    func lengths() throws {
        let long = String(repeating: "x", count: 501)
        let spine = try #require(first(#""title":"\#(long)","author":"\#(long)","text":"\#(long)","isbn":"\#(long)""#))
        #expect(spine.title?.count == 500)
        #expect(spine.author?.count == 500)
        #expect(spine.text?.count == 500)
        #expect(spine.isbn?.count == 32)
    }

    @Test("a string is limited in bytes as well, because a character may have any number of combining marks")
    func combiningMarks() throws {
        let marks = String(repeating: "\u{301}", count: 30)
        let word = "e" + marks
        let long = String(repeating: word, count: 100)
        let spine = try #require(first(#""title":"\#(long)","text":"\#(long)""#))
        // Each of these characters has 61 bytes.
        #expect(spine.title == String(repeating: word, count: 2_000 / 61))
        #expect(spine.text == spine.title)
        let one = "e" + String(repeating: "\u{301}", count: 300_000)
        #expect(first(#""title":"\#(one)","author":"\#(one)""#) == nil)
    }

    @Test(
        "a box may be a list or an object, and stays within the photo",
        arguments: [
            (#""box_2d":[100,200,300,400]"#, BoundingBox(x1: 0.2, y1: 0.1, x2: 0.4, y2: 0.3)),
            (#""box_2d":[300,400,100,200]"#, BoundingBox(x1: 0.2, y1: 0.1, x2: 0.4, y2: 0.3)),
            (#""box_2d":[-50,0,1500,1000]"#, .whole), (#""box_2d":[1,2,3]"#, .whole),
            (#""box_2d":[1,2,3,4,5]"#, .whole),
            (#""box_2d":["1",2,3,4]"#, .whole), (#""box_2d":[1e999,0,1000,1000]"#, .whole), (#""box_2d":null"#, .whole),
            (#""box":{"x1":0.2,"y1":0.1,"x2":0.4,"y2":0.3}"#, BoundingBox(x1: 0.2, y1: 0.1, x2: 0.4, y2: 0.3)),
            (#""box":{"x1":0.2,"y1":0.1,"x2":0.4}"#, .whole), (#""box":[0.2,0.1,0.4,0.3]"#, .whole),
            (#""box":{"x1":-5,"y1":0,"x2":5,"y2":1}"#, .whole),
        ])
    func boxes(member: String, box: BoundingBox) {
        #expect(first(#""title":"Dune",\#(member)"#)?.box == box)
    }

    @Test(
        "a confidence is between 0 and 1, and 0 if it is missing or invalid",
        arguments: [
            ("0.9", 0.9), ("0", 0), ("1", 1), ("1.7", 1), ("-0.1", 0), ("95", 1), ("\"0.9\"", 0), ("null", 0),
            ("1e999", 0),
        ])
    func confidences(written: String, confidence: Double) {
        #expect(first(#""title":"Dune","confidence":\#(written)"#)?.confidence == confidence)
    }

    @Test("an ISBN counts as a barcode only if the suite's own reader returned it")
    func barcodes() throws {
        let json = #"[{"text":"a","isbn":"9780441172719"},{"text":"b"}]"#
        #expect(try #require(spines(json, barcodes: true)).map(\.isBarcode) == [true, false])
        #expect(try #require(spines(json)).map(\.isBarcode) == [false, false])
    }

    @Test(
        "the list of books can be the answer itself or a member of it",
        arguments: [
            #"[{"title":"Dune"}]"#, #"{"books":[{"title":"Dune"}]}"#, #"{"note":"x","books":[{"title":"Dune"}]}"#,
        ])
    func lists(json: String) {
        #expect(spines(json)?.map(\.title) == ["Dune"])
    }

    @Test(
        "however much of an answer's end is missing, its complete entries are read",
        arguments: [
            (#"{"books":[{"title":"A"}"#, ["A"]), (#"[{"title":"A"},{"title":"B"}"#, ["A", "B"]),
            (#"{"books":[{"title":"A","box_2d":[1,2,3,4]},{"ti"#, ["A"]), (#"[{"title":"\"]}"},{"#, ["\"]}"]),
            (#"[{"title":"\\"},{"title":"B"#, ["\\"]), (#"{"books":[[{"title":"A"}],{"title":"B"}"#, ["B"]),
            (#"{"books":[]},{"title":"A"}"#, []), ("no list", []), ("[", []),
        ])
    func cutOff(text: String, titles: [String]) {
        #expect(ShelfAnswer.read(cutOff: text).map { $0.title ?? "" } == titles)
    }
}
