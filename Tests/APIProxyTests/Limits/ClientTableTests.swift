import Testing

@testable import APIProxy

@Suite("The table of clients") struct ClientTableTests {
    private func client(_ number: Int) throws -> ClientNetwork {
        let text = "\(number >> 24 & 255).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        return ClientNetwork(try #require(ClientAddress(text)))
    }

    private func request(_ table: inout ClientTable, _ number: Int, at now: Int64 = 0) throws -> Bool {
        let limits = RateLimits(ordinary: RateLimit(requests: 1, period: .minute))
        return table.update(try client(number), at: now) { $0.count(.ordinary, limits, at: now)?.isAdmitted ?? false }
    }

    @Test("a million distinct addresses stay within the bound of entries and of bytes")
    func bounded() throws {
        var table = ClientTable()
        var refused = 0
        for number in 0..<1_000_000 where try !request(&table, number) { refused += 1 }
        #expect(refused == 0 && table.count == 65_536)
        #expect(table.bytes < 20 << 20)
    }

    @Test(
        "the times of many busy clients stay within their bound: the client that was not seen for longest is forgotten")
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

    @Test("at the bound the client that was not seen for longest is forgotten, and no other")
    func leastRecent() throws {
        var table = ClientTable(capacity: 3)
        for number in 1...3 { #expect(try request(&table, number)) }
        #expect(try !request(&table, 1))
        #expect(try request(&table, 4))
        #expect(table.count == 3)
        for number in [1, 3, 4] { #expect(try !request(&table, number)) }
        #expect(try request(&table, 2))
    }

    @Test("a client whose windows are empty gives its place to the next one, so that the table does not grow")
    func reuse() throws {
        var table = ClientTable(capacity: 1_000)
        for number in 0..<500 { #expect(try request(&table, number, at: Int64(number) * 4_000_000)) }
        #expect(table.count == 1)
        for number in 0..<5 { #expect(try request(&table, number, at: 2_000_000_000)) }
        #expect(table.count == 5)
    }

    @Test("an entry is as large as the documentation says")
    func size() {
        #expect(MemoryLayout<ClientRecord>.stride == 120)
        #expect(MemoryLayout<SlidingWindow>.stride == 24)
    }
}
