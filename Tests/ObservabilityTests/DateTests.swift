import Foundation
import Observability
import Testing

@Suite("Times in milliseconds")
struct DateTests {
    @Test(
        "part of a millisecond does not count, before 1970 neither",
        arguments: [(1.9994, 1_999), (-0.0015, -2), (0, 0)])
    func whole(seconds: Double, milliseconds: Int64) {
        #expect(Date(timeIntervalSince1970: seconds).millisecondsSince1970 == milliseconds)
    }
}
