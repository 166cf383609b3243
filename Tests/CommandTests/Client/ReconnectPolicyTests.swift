import ProgressClient
import Testing

@Suite("When to connect again")
struct ReconnectPolicyTests {
    @Test("after 1, 2, 4, 8, 16, 30, 30 seconds and up to a quarter more, then no more")
    func schedule() {
        var policy = ReconnectPolicy(limit: 7)
        var random = SystemRandomNumberGenerator()
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let base = Duration.seconds(seconds)
            let delay = policy.next(using: &random)
            #expect(delay.map { (base..<base * 1.25).contains($0) } == true)
        }
        let last = policy.next(using: &random)
        #expect(last == nil)
        policy.reset()
        let afterReset = policy.next(using: &random)
        #expect(afterReset.map { $0 < .seconds(2) } == true)
    }

    @Test("the server's own wait is the least")
    func floor() {
        var policy = ReconnectPolicy()
        var random = SystemRandomNumberGenerator()
        let delay = policy.next(atLeast: .seconds(30), using: &random)
        #expect(delay.map { $0 >= .seconds(30) } == true)
    }
}
