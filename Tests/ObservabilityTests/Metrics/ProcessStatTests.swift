import Foundation
import Testing

@testable import Observability

@Suite("What the kernel says of the process")
struct ProcessStatTests {
    @Test("fields are found behind a program's name with blanks and parentheses")
    func strangeName() throws {
        let fields = (3...52).map(String.init).joined(separator: " ")
        let stat = try #require(ProcessStat("1 (a) b) (c) \(fields)\n"))
        #expect(stat.threads == 20)
        #expect(stat.start == .milliseconds(22_000 / sysconf(CInt(_SC_CLK_TCK))))
        #expect(ProcessStat("1 (a) S 1")?.start == nil)
        #expect(ProcessStat("") == nil)
    }

    @Test("this process is some time old, and grows older")
    func age() throws {
        let first = try #require(ProcessStat.current?.age)
        let second = try #require(ProcessStat.current?.age)
        #expect(first >= .zero && first < .seconds(86_400))
        #expect(second >= first)
    }

    @Test("the start in Unix time is the present less the age")
    func startTime() throws {
        let age = try #require(ProcessStat.current?.age)
        let start = try #require(ProcessUsage.startTime)
        #expect(abs(Date().timeIntervalSince1970 - age / .seconds(1) - start) < 60)
    }
}
