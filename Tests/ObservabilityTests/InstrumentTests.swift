import Testing
@testable import Observability

@Suite("Instruments")
struct InstrumentTests {
    @Test("a counter counts across threads and never decreases")
    func counter() async {
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { counter.add() } } }
        }
        counter.add(-5)
        #expect(counter.value == 8_000)
    }

    @Test("a gauge increases and decreases")
    func gauge() {
        let gauge = Gauge()
        gauge.add(3)
        gauge.subtract()
        #expect(gauge.reading == .number(2))
        gauge.set(-7)
        #expect(gauge.value == -7)
    }

    @Test("a value equal to a bucket's bound belongs to that bucket")
    func bounds() {
        let histogram = Histogram(.counts(1, 10, 100))
        for value in [0, 1, 2, 10, 11, 100, 101, 5_000] { histogram.observe(count: value) }
        #expect(histogram.reading == .distribution(Distribution(counts: [2, 2, 2, 2], sum: 5_225)))
        #expect(histogram.count == 8)
    }

    @Test("durations are summed to the nanosecond and displayed in seconds")
    func durations() {
        let histogram = Histogram(.durations(.milliseconds(1), .seconds(1)))
        for _ in 0..<1_000 { histogram.observe(.nanoseconds(1_500_001)) }
        histogram.observe(.seconds(-1))
        #expect(histogram.reading == .distribution(Distribution(counts: [1, 1_000, 0], sum: 1.500_001)))
        #expect(histogram.bounds.shown == [0.001, 1])
    }

    @Test("every bucket of the longest list of bounds can be reached")
    func ranges() {
        let bounds = HistogramBounds.answers
        let histogram = Histogram(bounds)
        for upper in bounds.upper { histogram.observe(.nanoseconds(Int64(upper))) }
        histogram.observe(.seconds(3_600))
        guard case .distribution(let spread) = histogram.reading else { return #expect(Bool(false)) }
        #expect(spread.counts == Array(repeating: 1, count: bounds.upper.count + 1))
    }
}

@Suite("Labeled metrics")
struct LabeledTests {
    enum Color: String, MetricLabel {
        case red, green
        static let labelName = "colour"
    }

    enum Size: String, MetricLabel {
        case small, medium, large
        static let labelName = "size"
    }

    struct Number: MetricLabels {
        let number: Int
        static let names = ["number"]
        var values: [String] { ["\(number)"] }
        var positions: [Int] { [number] }
    }

    @Test("each combination of labels has its own instrument, and instruments are listed in the order of the labels")
    func ownInstruments() {
        let counters = Labeled(Number.self) { Counter() }
        for number in (0..<3_000).shuffled() { counters[Number(number: number)].add(number) }
        #expect(counters.samples.map(\.reading) == (0..<3_000).map { .number(Double($0)) })
        #expect(counters.samples.flatMap(\.labels).map(\.value) == (0..<3_000).map(String.init))
    }

    @Test("labels first used after a scrape appear in order in the next scrape")
    func laterLabels() {
        let counters = Labeled(Color.self) { Counter() }
        counters[.green].add()
        #expect(counters.samples.map(\.reading) == [.number(1)])
        counters[.red].add(2)
        #expect(counters.samples.map(\.reading) == [.number(2), .number(1)])
    }

    @Test("threads that first use an instrument at the same time share it")
    func race() async {
        for _ in 0..<50 {
            let counters = Labeled(Color.self) { Counter() }
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { for _ in 0..<100 { counters[.green].add() } } }
            }
            #expect(counters[.green].value == 400)
        }
    }

    @Test("each pair of labels has its own instrument and is displayed with both labels' names")
    func pairs() {
        typealias Pair = LabelPair<Color, Size>
        let counters = Labeled(Pair.self) { Counter() }
        for (number, pair) in Pair.allCases.enumerated().shuffled() { counters[pair].add(number) }
        #expect(counters.samples.map(\.reading) == (0..<6).map { .number(Double($0)) })
        #expect(counters.samples.last?.labels == [.init("colour", "green"), .init("size", "large")])
    }

    @Test("unused labels are not displayed unless requested")
    func showAll() {
        let counters = Labeled(Color.self) { Counter() }
        #expect(counters.samples.isEmpty)
        counters.showAll()
        #expect(counters.samples.map(\.reading) == [.number(0), .number(0)])
    }
}
