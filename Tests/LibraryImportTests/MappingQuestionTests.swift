import BookstrackContract
import LibraryImport
import Testing

@Suite("Asking a model what columns mean")
struct MappingQuestionTests {
    /// Titles that look like people's names, next to prices and long strings: the cells alone do not identify a title.
    private static let text = """
        Kol A,Kol B,Kol C
        Jane Eyre,3.99,"\(String(repeating: "A long text of the reader. ", count: 20))"
        Emma Bovary,4.49,
        Anna Karenina,5.99,
        David Copperfield,2.79,
        Oliver Twist,7.19,
        Silas Marner,8.09,
        """

    private func reading(_ text: String, _ answer: MappingAnswer? = nil) throws -> LibraryReading {
        LibraryReading(try LibraryTable(bytes: Array(text.utf8)), answer: answer)
    }

    private func answer(_ roles: [(Int, String)]) -> MappingAnswer {
        MappingAnswer(columns: roles.map { MappingAnswer.Column(index: $0.0, role: $0.1) })
    }

    @Test("the question to the model contains headers and five rows, but no long strings")
    func question() throws {
        let question = try #require(try reading(Self.text).question())
        #expect(question.columns.map(\.index) == [0, 1])
        #expect(question.columns.map(\.header) == ["Kol A", "Kol B"])
        #expect(question.rows.count == 5)
        #expect(question.rows.first == ["Jane Eyre", "3.99"])
        #expect(question.identity == "kol a\u{1F}kol b\u{1F}kol c")
    }

    @Test("cells in the question are truncated, and columns headed as reviews or notes are omitted")
    func cut() throws {
        let long = String(repeating: "x", count: 100)
        let text = "Kol A,Review,Private Notes\n" + String(repeating: "Emma Woodhouse \(long),good,mine\n", count: 6)
        let question = try #require(try reading(text).question())
        #expect(question.columns.map(\.index) == [0])
        #expect(question.rows.allSatisfy { $0.allSatisfy { $0.count == MappingQuestion.maxCellLength } })
    }

    @Test("a file whose columns are recognized needs no question")
    func recognized() throws {
        #expect(try reading("Title,Author\nEmma,Jane Austen\n").question() == nil)
    }

    @Test("a model's answer that the cells confirm assigns roles to the columns")
    func answered() throws {
        #expect(throws: ImportFailure.self) { try reading(Self.text).plan() }
        let plan = try reading(Self.text, answer([(0, "title"), (1, "ignore")])).plan()
        #expect(plan.columns(.title).map(\.index) == [0])
        #expect(plan.importColumns[0].by == .ai)
    }

    @Test("a model's answer that the cells contradict, or that has an unknown column or role, is rejected")
    func refused() throws {
        let text = "Kol A,Kol B,Kol C\n" + (1...9).map { "2020-01-0\($0),\($0).50,\($0)\n" }.joined()
        for guess in [[(0, "title")], [(1, "isbn")], [(2, "isbn13")], [(9, "title")], [(0, "novel")]] {
            #expect(throws: ImportFailure.self) { try reading(text, answer(guess)).plan() }
        }
    }

    @Test("if a model's answer assigns one role to two columns or two roles to one column, those columns are ignored")
    func contradictory() {
        #expect(answer([(0, "title"), (1, "title"), (2, "author"), (3, "isbn"), (3, "asin")]).roles == [2: .author])
    }

    @Test("a model's answer does not change the roles of recognized columns")
    func unneeded() throws {
        let text = "Title,Author\nEmma,Jane Austen\nDune,Frank Herbert\n"
        let plan = try reading(text, answer([(0, "author"), (1, "title")])).plan()
        #expect(plan.columns(.title).map(\.index) == [0])
        #expect(plan.columns(.title).map(\.by) == [.header])
    }
}
