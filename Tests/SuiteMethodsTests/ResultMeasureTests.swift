import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@Suite("Result measures")
struct ResultMeasureTests {
    private static let measure = {
        var measure = ResultMeasure()
        measure.isByISBN = true
        measure.isFound = true
        measure.quality = 100
        measure.authors = 3
        measure.knownAuthors = 2
        for provider in MeasuredProvider.allCases {
            measure[provider] = ProviderShare(isAsked: true, isAnswered: true, fields: BookFieldSet(BookField.allCases))
        }
        measure[.isbndb].isAnswered = false
        return measure
    }()

    @Test("changing one part of a measure leaves the other parts unchanged")
    func parts() {
        var measure = Self.measure
        #expect(measure.isByISBN)
        #expect(measure.isFound)
        #expect(!measure.hasCover)
        #expect(measure.quality == 100)
        #expect(measure.authors == 3)
        #expect(measure.knownAuthors == 2)
        #expect(measure[.isbndb] == ProviderShare(isAsked: true, fields: BookFieldSet(BookField.allCases)))
        #expect(measure[.wikidata].fields.fields == BookField.allCases)
        measure.quality = 7
        measure.hasCover = true
        measure[.openLibrary] = ProviderShare()
        #expect(measure.quality == 7)
        #expect(measure.authors == 3)
        #expect(measure[.openLibrary] == ProviderShare())
        #expect(measure[.googleBooks] == Self.measure[.googleBooks])
        #expect(measure.rawValue > 0)
    }

    @Test("numbers are clamped to the range that their bits can represent")
    func cut() {
        var measure = ResultMeasure()
        measure.authors = 40
        measure.knownAuthors = -1
        #expect(measure.authors == 15)
        #expect(measure.knownAuthors == 0)
        #expect(measure.quality == 0)
    }

    @Test("a measure is encoded with its outcome and may be absent")
    func wire() throws {
        var outcome = ItemOutcome(
            key: ItemKey(jobId: JobID("a-job-of-tests")!, index: 4), workClass: .bulk, errorCode: nil, title: "Dune",
            followUp: .none, rowLength: 2)
        let row = ByteBuffer(string: "{}")
        let without = RecordWork(raw: RecordWork(outcomes: [outcome], rows: [row]).raw())
        #expect(try #require(without).outcomes[0].measure == nil)
        outcome.measure = Self.measure
        let with = RecordWork(raw: RecordWork(outcomes: [outcome], rows: [row]).raw())
        #expect(try #require(with).outcomes[0].measure == Self.measure)
    }

    @Test("a book requested without an ISBN and not found changes no ratio, and ratios are nil if no books are counted")
    func ratios() {
        var counts = QualityCounts()
        #expect(counts.matchRatio == nil)
        #expect(counts.meanQuality == nil)
        counts.add(Self.measure)
        counts.add(ResultMeasure())
        #expect(counts.matchRatio == 1)
        #expect(counts.coverRatio == 0)
        #expect(counts.authorKnownRatio.map { ($0 * 3).rounded() } == 2)
        #expect(counts.meanQuality == 100)
        counts.add(Self.measure, sign: -1)
        counts.add(ResultMeasure(), sign: -1)
        #expect(counts == QualityCounts())
    }
}
