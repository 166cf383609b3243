import Testing

@testable import ServiceKit

@Suite("The age of a process")
struct ProcessAgeTests {
    @Test("the start is found behind a program's name with blanks and parentheses")
    func strangeName() {
        let fields = (3...52).map(String.init).joined(separator: " ")
        #expect(ProcessAge.startTicks(inStat: "1 (a) b) (c) \(fields)\n") == 22)
        #expect(ProcessAge.startTicks(inStat: "1 (a) S 1") == nil)
        #expect(ProcessAge.startTicks(inStat: "") == nil)
    }

    @Test("this process is some time old, and grows older")
    func current() throws {
        let first = try #require(ProcessAge.current)
        let second = try #require(ProcessAge.current)
        #expect(first >= .zero && first < .seconds(86_400))
        #expect(second >= first)
    }
}
