import BookIdentifiers
import Testing

@testable import ProviderEmulator

@Suite("Fault plans")
struct FaultPlanTests {
    private let dune: ISBN
    private let hobbit: ISBN

    init() throws {
        dune = try #require(ISBN("9780441172719"))
        hobbit = try #require(ISBN("9780618260300"))
    }

    private func verdict(
        _ plan: inout FaultPlan, _ provider: Provider = .openLibrary, uri: String = "/api/books", isbns: [ISBN] = []
    ) -> FaultPlan.Verdict {
        plan.verdict(provider: provider, uri: uri, keys: isbns.map { .isbn($0) })
    }

    @Test("a rule with no conditions applies to every request")
    func always() {
        var plan = FaultPlan([FaultRule(.reset)])
        for _ in 0..<3 { #expect(verdict(&plan, isbns: [dune]).fault == .reset) }
        #expect(verdict(&plan, .googleBooks).fault == .reset)
    }

    @Test("a rule applies no more than the given number of times")
    func times() {
        var plan = FaultPlan([FaultRule(.status(503, retryAfter: 2), times: 2)])
        #expect((0..<4).map { _ in verdict(&plan).fault != nil } == [true, true, false, false])
    }

    @Test("a rule for a provider, an ISBN or a path applies to no other requests")
    func conditions() {
        var plan = FaultPlan([
            FaultRule(.hang, provider: .googleBooks), FaultRule(.truncate, key: .isbn(dune)),
            FaultRule(.garbage, path: "search.json"),
        ])
        #expect(verdict(&plan, isbns: [hobbit]).fault == nil)
        #expect(verdict(&plan, isbns: [hobbit, dune]).fault == .truncate)
        #expect(verdict(&plan, .googleBooks, isbns: [hobbit]).fault == .hang)
        #expect(verdict(&plan, uri: "/search.json?q=x", isbns: [hobbit]).fault == .garbage)
    }

    @Test("delays add up, and only the first matching fault that affects the whole response applies")
    func combination() {
        var plan = FaultPlan([
            FaultRule(.slow(.milliseconds(20))), FaultRule(.reset, times: 1), FaultRule(.hang, times: 1),
            FaultRule(.slow(.milliseconds(30))),
        ])
        let first = verdict(&plan)
        #expect(first.delay == .milliseconds(50))
        #expect(first.fault == .reset)
        #expect(first.kinds == [.slow, .reset, .slow])
        #expect(verdict(&plan).fault == .hang)
    }

    @Test("wrong and missing books are decided separately for each ISBN of a batch")
    func substitutions() {
        var plan = FaultPlan([FaultRule(.wrongBook, key: .isbn(dune)), FaultRule(.missing, key: .isbn(hobbit))])
        #expect(
            verdict(&plan, isbns: [dune, hobbit]).substitutions == [.isbn(dune): .wrongBook, .isbn(hobbit): .missing])
        #expect(verdict(&plan, isbns: [hobbit]).substitutions == [.isbn(hobbit): .missing])
    }

    @Test("probabilistic faults are the same for the same seed and about as frequent as configured")
    func probability() {
        let falls = (0..<2).map { _ in
            var plan = FaultPlan([FaultRule(.reset, probability: 0.25)], seed: 7)
            return (0..<1_000).map { _ in verdict(&plan).fault != nil }
        }
        #expect(falls[0] == falls[1])
        #expect((180...320).contains(falls[0].count { $0 }))
    }
}
