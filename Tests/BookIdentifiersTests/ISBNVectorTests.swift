import BookIdentifiers
import Foundation
import TestSupport
import Testing

@Suite("Recorded ISBN lists", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct ISBNVectorTests {
    @Test(
        "every number in the valid lists is accepted without repair",
        arguments: ["valid_isbn10_1.txt", "valid_isbn13.txt"])
    func validLists(file: String) throws {
        let lines = try TestData.lines("isbn_vectors/\(file)")
        #expect(!lines.isEmpty)
        let refused = lines.filter { ISBN($0)?.forms.contains($0.uppercased()) != true }
        #expect(refused == [])
    }

    @Test("every number in the invalid list is rejected")
    func invalidList() throws {
        let lines = try TestData.lines("isbn_vectors/bad_isbn10.txt")
        #expect(!lines.isEmpty)
        #expect(lines.filter { (try? ISBN.parse($0)) != nil } == [])
    }

    @Test("each of Exercism's verifier cases has the expected verdict")
    func exercismVerdicts() throws {
        struct Cases: Decodable {
            struct Case: Decodable {
                struct Input: Decodable { let isbn: String }
                let input: Input
                let expected: Bool
            }
            let cases: [Case]
        }
        let cases = try JSONDecoder().decode(
            Cases.self, from: TestData.bytes("isbn_vectors/exercism_isbn_verifier.json"))
        let differing = cases.cases.filter { (ISBN($0.input.isbn) != nil) != $0.expected }.map(\.input.isbn)
        #expect(cases.cases.count == 21)
        #expect(differing == [])
    }

    @Test("numbers in commons-validator's lists of valid formats are accepted only with a correct check digit")
    func commonsValidatorLists() throws {
        let lists = try JSONDecoder().decode(
            [String: [String]].self, from: TestData.bytes("isbn_vectors/commons_validator_lists.json"))
        func accepted(_ key: String) throws -> [String] {
            try #require(lists[key]).filter { (try? ISBN.parse($0)) != nil }
        }
        // That library's tests use these lists only for formats; one of the numbers has a correct check digit.
        #expect(try accepted("validISBN10Format") == ["123456789X"])
        #expect(try accepted("validISBN13Format") == [])
        // Here, nine digits are an ISBN-10 without its leading zero; the others have correct check digits and misplaced
        // hyphens, which are common and which metadata.md "ISBN" allows.
        #expect(
            try accepted("invalidISBN10Format") == [
                "123456789", "--1 930110 99 5", "1 930110 99 5--", "1 930110-99 5-", "068-556-98-45",
            ])
        #expect(
            try accepted("invalidISBN13Format") == [
                "--978 1 930110 99 1", "978 1 930110 99 1--", "978 1 930110-99 1-", "979-1-234-567-89-6",
            ])
    }

    @Test("parsing agrees with isbnlib, except for running text and a check digit that isbnlib does not verify")
    func isbnlibVectors() throws {
        struct Vector: Decodable {
            let op: String
            let input: String
            let expected: Expected
        }
        enum Expected: Decodable, Equatable {
            case verdict(Bool)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = try (try? .verdict(container.decode(Bool.self))) ?? .text(container.decode(String.self))
            }
        }
        var differing: [String] = []
        for vector in try JSONDecoder().decode(
            [Vector].self, from: TestData.bytes("isbn_vectors/isbnlib_vectors_1.json"))
        {
            let parsed = try? ISBN.parse(vector.input)
            let ours: Expected
            switch vector.op {
            case "is_isbn10": ours = .verdict(parsed?.form == .isbn10)
            case "is_isbn13": ours = .verdict(parsed?.form == .isbn13)
            case "to_isbn10": ours = .text(parsed?.isbn.isbn10 ?? "")
            case "to_isbn13", "EAN13", "ean13": ours = .text(parsed?.isbn.isbn13 ?? "")
            case "canonical": ours = .text((parsed?.form == .isbn13 ? parsed?.isbn.isbn13 : parsed?.isbn.isbn10) ?? "")
            default: continue
            }
            if ours != vector.expected { differing.append("\(vector.op) \(vector.input)") }
        }
        // The first input is running text, not a single number; the second has a wrong check digit, which isbnlib's
        // `canonical` does not check (its `ean13` rejects the same number).
        #expect(differing == ["to_isbn13 asd isbn 979-10-90636-07-1 blabla", "canonical ISBN 9789720404427"])
    }

    @Test("the ISBNs of published books are parsed with their printed hyphens")
    func publishedHyphens() throws {
        let books = try JSONDecoder().decode(
            [String: String].self, from: TestData.bytes("isbn_vectors/pyisbn_books.json"))
        let differing = books.values.filter { text in
            ISBN(text)?.forms.contains(text.replacing("-", with: "")) != true
        }
        #expect(books.count == 239)
        #expect(differing.sorted() == [])
    }

    @Test("parsing the ISBN columns of goodbooks10k yields the expected number of each outcome")
    func goodbooksCleaning() throws {
        let rows = try TestData.lines("goodbooks10k/books_odd_rows.csv").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let tens = OutcomeCount(rows.map { String($0[5]) })
        let thirteens = OutcomeCount(rows.map { String($0[6]) })
        print("goodbooks10k, column isbn   : \(tens)\ngoodbooks10k, column isbn13 : \(thirteens)")
        #expect(tens.total == rows.count)
        #expect(thirteens.total == rows.count)
        #expect(tens["fine"] == 1331)
        #expect(tens["repaired: lost_leading_zeros"] == 3297)
        #expect(tens["refused: wrong_check_digit"] == 6)
        #expect(tens["refused: wrong_length"] == 6)
        #expect(thirteens["refused: scientific_notation"] == 4689)
    }
}

/// The number of texts for each outcome.
private struct OutcomeCount: CustomStringConvertible {
    private var counts: [String: Int] = [:]

    init(_ texts: [String]) {
        for text in texts { counts[Self.outcome(text), default: 0] += 1 }
    }

    subscript(outcome: String) -> Int { counts[outcome] ?? 0 }

    var total: Int { counts.values.reduce(0, +) }

    var description: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    private static func outcome(_ text: String) -> String {
        do {
            return try ISBN.parse(text).repair.map { "repaired: \($0.name)" } ?? "fine"
        } catch {
            return "refused: \(error.name)"
        }
    }
}
