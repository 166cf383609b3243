import Testing

@testable import Observability

@Suite("Labelled metrics")
struct LabelledTests {
    enum Colour: String, MetricLabel {
        case red, green
        static let labelName = "colour"
    }

    enum Size: String, MetricLabel {
        case small, medium, large
        static let labelName = "size"
    }

    /// More places than one table of tables has.
    struct Wide: MetricLabels {
        let place: Int
        static let names = ["number"]
        static let placeCount = 3_000
        var values: [String] { ["\(place)"] }
    }

    @Test("each set of labels has an instrument of its own, however many there are")
    func ownInstruments() {
        let counters = Labelled(Wide.self) { Counter() }
        for place in 0..<Wide.placeCount { counters[Wide(place: place)].add(place) }
        #expect(counters.occurred.map(\.instrument.value) == (0..<3_000).map(UInt64.init))
        #expect(counters.occurred.flatMap(\.labels).map(\.value) == (0..<3_000).map(String.init))
    }

    @Test("an instrument that two threads need first at the same time is one")
    func race() async {
        for _ in 0..<50 {
            let counters = Labelled(Colour.self) { Counter() }
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { for _ in 0..<100 { counters[.green].add() } } }
            }
            #expect(counters[.green].value == 400)
        }
    }

    @Test("two labels are told apart from each other, and show under both names")
    func pairs() {
        typealias Pair = LabelPair<Colour, Size>
        #expect(Set(Pair.allCases.map(\.place)) == Set(0..<6))
        let counters = Labelled(Pair.self) { Counter() }
        counters[Pair(.green, .large)].add(2)
        #expect(
            counters.samples == [Sample(labels: [.init("colour", "green"), .init("size", "large")], .number(2))])
    }

    @Test("what has not occurred does not show, unless it is asked for")
    func showAll() {
        let counters = Labelled(Colour.self) { Counter() }
        #expect(counters.samples.isEmpty)
        counters.showAll()
        #expect(counters.samples.map(\.reading) == [.number(0), .number(0)])
    }
}
