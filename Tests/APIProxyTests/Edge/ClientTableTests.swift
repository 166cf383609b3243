import Testing
import TestSupport
@testable import APIProxy

@Suite("The client table") struct ClientTableTests {
    private func client(_ number: Int) throws -> ClientNetwork {
        let text = "\(number >> 24 & 255).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        return ClientNetwork(try #require(ClientAddress(text)))
    }

    private func request(_ table: inout ClientTable, _ number: Int, at now: Int64 = 0) throws -> Bool {
        let limits = RateLimits(ordinary: RateLimit(requests: 1, period: .minute))
        return table.update(try client(number), at: now) { $0.count(.ordinary, limits, at: now)?.isAdmitted ?? false }
    }

    @Test("with more addresses than fit, the table stays within its limits on entries and bytes")
    func bounded() throws {
        var table = ClientTable()
        var refused = 0
        for number in 0..<200_000 where try !request(&table, number) { refused += 1 }
        #expect(refused == 0)
        #expect(table.count == 65_536)
        #expect(table.bytes < 20 << 20)
    }

    @Test(
        "many busy clients' request times stay within their memory limit, and the least recently seen clients are dropped"
    )
    func boundedTimes() throws {
        let limits = RateLimits(ordinary: RateLimit(requests: 1_000, period: .minute))
        var table = ClientTable(timeLimit: 1 << 20)
        for number in 0..<200 {
            for time in 0..<1_000 {
                table.update(try client(number), at: Int64(time)) { _ = $0.count(.ordinary, limits, at: Int64(time)) }
            }
        }
        #expect((40...70).contains(table.count))
        #expect(table.bytes < 2 << 20)
        #expect(
            table.update(try client(199), at: 1_000) { $0.count(.ordinary, limits, at: 1_000)?.isAdmitted } == false)
        #expect(table.update(try client(0), at: 1_000) { $0.count(.ordinary, limits, at: 1_000)?.isAdmitted } == true)
    }

    @Test("a full table drops only the least recently seen client")
    func leastRecent() throws {
        var table = ClientTable(capacity: 3)
        for number in 1...3 { #expect(try request(&table, number)) }
        #expect(try !request(&table, 1))
        #expect(try request(&table, 4))
        #expect(table.count == 3)
        for number in [1, 3, 4] { #expect(try !request(&table, number)) }
        #expect(try request(&table, 2))
    }

    @Test("a new client replaces one with empty windows, so the table does not grow")
    func reuse() throws {
        var table = ClientTable(capacity: 1_000)
        for number in 0..<500 { #expect(try request(&table, number, at: Int64(number) * 4_000_000)) }
        #expect(table.count == 1)
        for number in 0..<5 { #expect(try request(&table, number, at: 2_000_000_000)) }
        #expect(table.count == 5)
    }

    @Test("the request times of clients that were replaced leave room for those of later clients")
    func replacedTimes() throws {
        var table = ClientTable(timeLimit: 4_096)
        for number in 0..<1_000 { #expect(try request(&table, number, at: Int64(number) * 4_000_000)) }
        for number in 1_000..<1_005 { #expect(try request(&table, number, at: 4_000_000_000)) }
        #expect(table.count == 5)
        for number in 1_000..<1_005 { #expect(try !request(&table, number, at: 4_000_000_000)) }
    }

    @Test("a client's record and each of its windows have the documented sizes")
    func size() {
        #expect(MemoryLayout<ClientRecord>.stride == 192)
        #expect(MemoryLayout<SlidingWindow>.stride == 24)
    }
}

@Suite("A sliding window") struct SlidingWindowTests {
    @Test(
        "no interval of one period ever contains more admitted requests than the limit",
        arguments: [1, 7, 50, SlidingWindow.exactTimes + 1])
    func strict(requests: Int) {
        var random = SeededGenerator(seed: UInt64(requests))
        let limit = RateLimit(requests: requests, period: .minute)
        let longest = 240_000 / Int64(requests)
        var window = SlidingWindow()
        var admitted: [Int64] = []
        // The clock's 32 bits wrap around during the test.
        var now: Int64 = 1 << 32 - 1_000_000
        for _ in 0..<20_000 {
            now += Bool.random(using: &random) ? 0 : Int64.random(in: 0...longest, using: &random)
            window.advance(to: now, .minute)
            guard window.total < requests else { continue }
            window.add(limit)
            admitted.append(now)
        }
        #expect(admitted.count > requests * 10)
        for (first, time) in admitted.enumerated() {
            let last = first + requests
            if last < admitted.count { #expect(admitted[last] - time >= 60_000) }
        }
    }

    @Test("a request counts toward the limit for exactly 60 s")
    func exact() {
        let limit = RateLimit(requests: 2, period: .minute)
        var window = SlidingWindow()
        window.advance(to: 5_999, .minute)
        window.add(limit)
        window.advance(to: 6_000, .minute)
        window.add(limit)
        #expect(window.nextRoom(.minute) == 65_999)
        window.advance(to: 65_998, .minute)
        #expect(window.total == 2)
        window.advance(to: 65_999, .minute)
        #expect(window.total == 1)
        #expect(window.nextRoom(.minute) == 66_000)
        window.advance(to: 66_000, .minute)
        #expect(window.total == 0)
        #expect(window.nextRoom(.minute) == nil)
    }

    @Test("a client that sends at exactly the permitted rate is never refused")
    func evenPace() {
        let limit = RateLimit(requests: 60, period: .minute)
        var window = SlidingWindow()
        for index in 0..<10_000 {
            window.advance(to: Int64(index) * 1_000, .minute)
            #expect(window.total < 60)
            window.add(limit)
        }
    }

    @Test(
        "with a high limit, a window uses bounded memory and frees capacity at most a thousandth of the period late")
    func bounded() {
        let limit = RateLimit(requests: 1_000_000, period: .hour)
        var window = SlidingWindow()
        for index in 0..<1_000_000 {
            window.advance(to: Int64(index) * 3, .hour)
            window.add(limit)
        }
        #expect(window.total == 1_000_000)
        #expect(window.bytes <= 2 * SlidingWindow.exactTimes * 8)
        #expect(window.nextRoom(.hour).map { (3_600_000...3_603_600).contains($0) } == true)
    }

    @Test("a long pause empties the window, and a clock that goes backwards changes nothing")
    func jumps() {
        let limit = RateLimit(requests: 5, period: .hour)
        var window = SlidingWindow()
        window.advance(to: 7_200_000, .hour)
        window.add(limit)
        window.advance(to: 0, .hour)
        #expect(window.total == 1)
        window.advance(to: 7_200_000 + 1 << 32, .hour)
        #expect(window.total == 0)
    }

    @Test("a request that is taken back is no longer counted, and taking back from an empty window changes nothing")
    func takingBack() {
        let limit = RateLimit(requests: 5, period: .minute)
        var window = SlidingWindow()
        for time in [1_000, 2_000] {
            window.advance(to: Int64(time), .minute)
            window.add(limit)
        }
        window.removeNewest()
        #expect(window.total == 1)
        #expect(window.nextRoom(.minute) == 61_000)
        window.removeNewest()
        window.removeNewest()
        #expect(window.total == 0)
        #expect(window.nextRoom(.minute) == nil)
    }

    @Test("an empty window uses no memory")
    func emptied() {
        let limit = RateLimit(requests: 100, period: .minute)
        var window = SlidingWindow()
        for time in 1...100 {
            window.advance(to: Int64(time), .minute)
            window.add(limit)
        }
        #expect(window.bytes > 0)
        window.advance(to: 60_100, .minute)
        #expect(window.bytes == 0)
    }
}
