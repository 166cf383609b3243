import Testing

@testable import BookstrackCLI

@Suite("CSV")
struct CSVReaderTests {
    @Test(
        "cells, quotes and line ends are read as RFC 4180 says",
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"], [""]]),
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
            ("a\rb", [["a"], ["b"]]),
            ("\"a, b\",\"say \"\"hi\"\"\"", [["a, b", "say \"hi\""]]),
            ("\"two\nlines\",x", [["two\nlines", "x"]]),
            (" a , \"b\" ,", [["a", "b", ""]]),
            ("a\"b,c", [["a\"b", "c"]]),
            ("", [[""]]),
            ("日本,\"語\"", [["日本", "語"]]),
        ])
    func records(text: String, records: [[String]]) throws {
        #expect(try CSVReader.records(of: text) == records)
    }

    @Test("an open quote is reported where it began, text after a quote where it is")
    func errors() {
        #expect(throws: CSVError(line: 2, problem: "a quote that is not closed")) {
            try CSVReader.records(of: "a\nb,\"c\nd")
        }
        #expect(throws: CSVError(line: 1, problem: "text after a closing quote")) {
            try CSVReader.records(of: "\"a\"b")
        }
    }
}
