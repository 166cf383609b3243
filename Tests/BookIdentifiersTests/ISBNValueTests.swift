import BookIdentifiers
import Foundation
import Testing

@Suite("ISBN values")
struct ISBNValueTests {
    @Test("the ISBN-10 and the ISBN-13 of one book are the same value")
    func formsAreEqual() throws {
        let ten = try ISBN.parse("0306406152").isbn
        let thirteen = try ISBN.parse("978-0-306-40615-7").isbn
        #expect(ten == thirteen)
        #expect(Set([ten, thirteen]).count == 1)
        #expect(ten.forms == ["9780306406157", "0306406152"])
    }

    @Test("an ISBN is encoded as its thirteen digits and decoded from any form that needs no repair")
    func coding() throws {
        let isbn = try ISBN.parse("0306406152").isbn
        let encoded = try JSONEncoder().encode([isbn])
        #expect(String(decoding: encoded, as: UTF8.self) == #"["9780306406157"]"#)
        #expect(try JSONDecoder().decode([ISBN].self, from: Data(#"["0-306-40615-2"]"#.utf8)) == [isbn])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ISBN].self, from: Data(#"["306406152"]"#.utf8))
        }
    }
}
