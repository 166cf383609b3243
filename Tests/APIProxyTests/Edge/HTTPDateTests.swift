import Testing

@testable import APIProxy

@Suite("The Date of an answer")
struct HTTPDateTests {
    @Test("the example of RFC 9110 §5.6.7, and a second later")
    func example() {
        let date = HTTPDate()
        #expect(date.text(second: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date.text(second: 784_111_778) == "Sun, 06 Nov 1994 08:49:38 GMT")
        #expect(date.text(second: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }
}
