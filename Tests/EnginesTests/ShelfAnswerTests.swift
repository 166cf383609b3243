import BookstrackContract
import Engines
import Testing

@Suite("Engine requests and answers about shelf photos")
struct ShelfAnswerTests {
    private static func read(_ json: String, barcodes: Bool = false) -> [DetectedSpine]? {
        ShelfAnswer.read(EngineAnswer(json: json), barcodes: barcodes)
    }

    @Test("a model's entries become spines with boxes relative to the photo's size")
    func model() throws {
        let spines = try #require(
            Self.read(
                #"{"books":[{"title":"Dune","author":"Frank Herbert","isbn":"","box_2d":[100,50,900,120],"confidence":0.9}]}"#
            ))
        #expect(
            spines == [
                DetectedSpine(
                    title: "Dune", author: "Frank Herbert", isbn: nil,
                    box: BoundingBox(x1: 0.05, y1: 0.1, x2: 0.12, y2: 0.9), confidence: 0.9)
            ])
        #expect(spines.first?.box.width == 0.07)
    }

    @Test("text and barcodes from the suite's own reader become spines")
    func reader() throws {
        let spines = try #require(
            Self.read(
                #"[{"text":"DUNE FRANK HERBERT","isbn":"9780441172719","box":{"x1":0,"y1":0.5,"x2":2,"y2":-1},"confidence":0.8}]"#,
                barcodes: true))
        #expect(spines.first?.text == "DUNE FRANK HERBERT")
        #expect(spines.first?.isBarcode == true)
        #expect(spines.first?.box == BoundingBox(x1: 0, y1: 0, x2: 1, y2: 0.5))
        #expect(spines.first?.query.title == "DUNE FRANK HERBERT")
    }

    @Test("an ISBN that a model returns never counts as a barcode")
    func inventedNumber() {
        #expect(Self.read(#"[{"isbn":"9780441172719"}]"#)?.first?.isBarcode == false)
    }

    @Test(
        "entries without a title, text or ISBN are left out",
        arguments: [
            (#"[{"title":"A"},{"author":"B"},7,null,{"title":"  "}]"#, 1),
            (#"{"books":[]}"#, 0),
        ])
    func hostile(json: String, count: Int) {
        #expect(Self.read(json)?.count == count)
    }

    @Test("text that is not a list of books is not an answer", arguments: ["", "Sure!", "{}", #"{"books":{}}"#, "7"])
    func noAnswer(json: String) {
        #expect(Self.read(json) == nil)
    }

    @Test("a missing confidence is 0, and a confidence out of range is clamped to 0…1")
    func confidence() {
        #expect(
            Self.read(#"[{"title":"A"},{"title":"B","confidence":7},{"title":"C","confidence":-1}]"#)?.map(\.confidence)
                == [0, 1, 0])
    }

    @Test("strings are reduced to one line without control characters, and at most 100 books per photo are kept")
    func bounds() throws {
        let long = String(repeating: "x", count: 600)
        let spines = try #require(Self.read(#"[{"title":"a\u0000\n b\u202e c"},{"title":"\#(long)"}]"#))
        #expect(spines.first?.title == "a b c")
        #expect(spines.last?.title?.count == 500)
        let many = "[" + Array(repeating: #"{"title":"A"}"#, count: 150).joined(separator: ",") + "]"
        #expect(Self.read(many)?.count == 100)
    }

    @Test(
        "the complete entries of a truncated answer are kept",
        arguments: [
            (#"{"books":[{"title":"A"},{"title":"B","box_2d":[1,2,3,4]},{"title":"C"#, ["A", "B"]),
            (#"{"books":[{"title":"}]\"{"},{"title":"#, ["}]\"{"]), (#"{"books":["#, []), ("", []),
        ])
    func cutOff(text: String, titles: [String]) {
        #expect(ShelfAnswer.read(cutOff: text).map(\.title) == titles)
    }

    @Test("a request body is split where the engine's JSON contains the photo")
    func photo() throws {
        let question = ShelfQuestion.question(mediaType: "image/jpeg")
        let gemini = EngineDialect.gemini.body(of: question, model: "m")
        #expect(gemini.start.hasSuffix(#"{"inlineData":{"mimeType":"image/jpeg","data":""#))
        #expect(gemini.end?.hasPrefix(#""}},{"text":"List the books"#) == true)
        #expect(gemini.end?.contains(#""propertyOrdering":["title","author","isbn","box_2d","confidence"]"#) == true)
        #expect(gemini.end?.contains(#""maxOutputTokens":65536"#) == true)
        let chat = EngineDialect.chatCompletions.body(of: question, model: "m")
        #expect(chat.start.hasSuffix(#"{"url":"data:image/jpeg;base64,"#))
    }
}
