import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("Engine questions")
struct EngineQuestionTests {
    private func answer(columns: String) -> String {
        EngineQuestion(model: "m", texts: ["A sentence first.", #"{"columns":\#(columns)}"#]).answer
    }

    @Test(
        "a column whose header is in the dictionary is given its role, ignoring case",
        arguments: [
            ("Heiti", "title"), ("teitl", "title"), ("KICHWA", "title"), ("Titolo de la libro", "title"),
            ("höfundur", "author"), ("Awdur", "author"), ("mwandishi", "author"), ("AŬTORO", "author"),
            ("einkunn", "rating"), ("sgôr", "rating"), ("alama", "rating"), ("poentaro", "rating"),
            ("síður", "pageCount"), ("tudalennau", "pageCount"), ("kurasa", "pageCount"), ("paĝoj", "pageCount"),
            ("útgefandi", "publisher"), ("cyhoeddwr", "publisher"), ("mchapishaji", "publisher"),
            ("eldonejo", "publisher"), ("staða", "status"), ("statws", "status"), ("hali", "status"),
            ("stato de legado", "status"),
        ])
    func dictionary(header: String, role: String) {
        let answer = answer(columns: #"[{"index":4,"header":"\#(header)"}]"#)
        #expect(answer == #"{"columns":[{"index":4,"role":"\#(role)"}]}"#)
    }

    @Test("columns keep their order, and unknown columns are left out")
    func order() {
        let columns =
            #"[{"index":3,"header":"alama"},{"index":0,"header":"colour"},{"index":1,"header":"kichwa"},"#
            + #"{"header":"hali"},{"index":2}]"#
        #expect(answer(columns: columns) == #"{"columns":[{"index":3,"role":"rating"},{"index":1,"role":"title"}]}"#)
    }

    @Test("the answer to a question with no table is an empty object", arguments: [[], ["Hello"], [#"{"rows":[]}"#]])
    func withoutTable(texts: [String]) {
        #expect(EngineQuestion(model: "m", texts: texts).answer == "{}")
    }

    @Test(
        "the answer to a question with a photo contains the sample shelf's books, even if the question also has a table"
    )
    func photo() throws {
        let question = EngineQuestion(model: "m", texts: [#"{"columns":[]}"#], photo: "aGVsbG8=")
        let books = try #require(try JSONValue(parsing: Array(question.answer.utf8))["books"]?.elements)
        #expect(books.map { $0["title"] } == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
        #expect(books.map { $0["author"] } == ["F. Scott Fitzgerald", "Charlotte Brontë", "Charles Dickens"])
        #expect(books.allSatisfy { $0["isbn"] == "" })
    }

    @Test("each box on the shelf is in thousandths, with its top above its bottom and its left edge before its right")
    func boxes() throws {
        let books = try #require(try JSONValue(parsing: Array(EngineQuestion.shelf.utf8))["books"]?.elements)
        for book in books {
            let box = (book["box_2d"]?.elements ?? []).compactMap(\.integer)
            try #require(box.count == 4)
            #expect(box[0] < box[2])
            #expect(box[1] < box[3])
            #expect(box.allSatisfy { (0...1000).contains($0) })
        }
    }

    @Test("a question's photo is found in requests to both APIs")
    func photosOfBothAPIs() throws {
        let emulator = try InProcessEmulator()
        let gemini = try emulator.answer(
            .POST, "/gemini/v1beta/models/m:generateContent", headers: ["x-goog-api-key": "k"],
            body: #"{"contents":[{"parts":[{"text":"?"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}]}]}"#)
        let openAI = try emulator.answer(
            .POST, "/openai/v1/chat/completions",
            body: #"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"?"},"#
                + #"{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]}]}"#)
        let parts = try gemini.json["candidates"]?.elements.first?["content"]?["parts"]
        #expect(parts?.elements.first?["text"]?.text == EngineQuestion.shelf)
        let message = try openAI.json["choices"]?.elements.first?["message"]
        #expect(message?["content"]?.text == EngineQuestion.shelf)
    }
}
