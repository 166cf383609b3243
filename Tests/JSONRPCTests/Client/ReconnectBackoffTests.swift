import JSONRPC
import Testing

@Suite("Waiting before the next try")
struct ReconnectBackoffTests {
    private static let full = [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000].map { Duration.milliseconds($0) }

    @Test("waits double from 50 ms to 2 s, and jitter takes away at most half")
    func doubles() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            var backoff = ReconnectBackoff()
            for full in Self.full {
                let wait = backoff.next(using: &random)
                #expect(wait <= full && wait >= full / 2)
            }
        }
    }

    @Test("no two clients wait alike")
    func jitter() {
        var random = SystemRandomNumberGenerator()
        let waits = Set(
            (0..<20).map { _ in
                var backoff = ReconnectBackoff()
                return backoff.next(using: &random)
            })
        #expect(waits.count > 1)
    }

    @Test("a hundred thousand failures do not overflow the wait")
    func manyFailures() {
        var backoff = ReconnectBackoff()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100_000 { _ = backoff.next(using: &random) }
        #expect(backoff.next(using: &random) <= .seconds(2))
    }

    @Test("after a connection the waits begin anew")
    func reset() {
        var backoff = ReconnectBackoff()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 { _ = backoff.next(using: &random) }
        backoff.reset()
        #expect(backoff.next(using: &random) <= .milliseconds(50))
    }
}
