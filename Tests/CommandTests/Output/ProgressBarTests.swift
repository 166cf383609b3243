import BookstrackClient
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import Testing
@testable import BookstrackCLI

@Suite("Progress bars, lines and counts")
struct ProgressBarTests {
    let count = ProgressCount(
        total: 100, found: 40, missing: [.notFound: 5], title: "ノルウェイの森", secondsLeft: 12)

    @Test("on a wide terminal, the line contains the bar, percentage, counts, time and title")
    func wide() {
        #expect(
            ProgressBar(columns: 100, unicode: false).line(count)
                == "[#############-----------------]  45 %  45/100  40 found  5 not found  12 s left  ノルウェイの森")
        #expect(
            ProgressBar(columns: 60, unicode: true).line(count)
                == "████░░░░░░  45 %  45/100  40 found  5 not found  12 s left")
    }

    @Test("the line with the bar is never wider than the terminal", arguments: 1...120)
    func bounded(columns: Int) {
        for unicode in [true, false] {
            let line = ProgressBar(columns: columns, unicode: unicode).line(count)
            #expect(DisplayWidth.of(line) <= columns)
        }
    }

    @Test("the bar starts empty, even while the number of books is unknown, and ends full")
    func ends() {
        let bar = ProgressBar(columns: 40, unicode: false)
        #expect(bar.line(ProgressCount(total: 2)) == "[------------------]   0 %  0/2  0 found")
        #expect(bar.line(ProgressCount(total: 2, found: 2)) == "[##################] 100 %  2/2  2 found")
        #expect(bar.line(ProgressCount(total: 0)).contains("  0 %"))
    }

    @Test("the bar is full if the server reports more finished books than there are")
    func tooMany() {
        let bar = ProgressBar(columns: 40, unicode: false)
        #expect(bar.line(ProgressCount(total: 2, found: 3)) == "[##################] 100 %  3/2  3 found")
    }

    @Test("the bar is empty if the server reports a negative number of finished books")
    func negative() {
        let bar = ProgressBar(columns: 40, unicode: false)
        #expect(bar.line(ProgressCount(total: 2, found: -3)) == "[----------------]   0 %  -3/2  -3 found")
    }

    @Test("counts and times from the server that are too large are clamped")
    func tooLarge() throws {
        let huge = ProgressCount(total: .max, found: .max, missing: [.down: .max], secondsLeft: .max)
        var sum = huge
        sum.add(huge)
        #expect(sum == huge)
        #expect(sum.processed == .max)
        #expect(ProgressBar.time(.max) == "153722867280912931 min")
        var counts = FailureCounts()
        (counts[.providerError], counts[.providerTimeout]) = (.max, .max)
        #expect(FailureReason.counts(counts, of: .max) == [.down: .max])
    }

    @Test("the progress and the exit status of a job that is polled tell limited books from books that were not found")
    func polledReasons() {
        var reasons = FailureCounts()
        reasons[.quotaExhausted] = 2
        let summary = JobSummary(
            status: .completed, progress: 1, processedCount: 3, totalCount: 3, successCount: 1, failureCount: 2,
            failureCounts: reasons)
        let event = JobEvent(jobID: .random(), seq: 1, date: Date(), content: .completed(summary))
        var progress = ProgressCount(total: 0)
        progress.take(event)
        #expect(progress == ProgressCount(total: 3, found: 1, missing: [.limited: 2]))
        var report = JobReport(job: event.jobID)
        report.take(event)
        #expect(report.exitStatus == .limited)
    }

    @Test("a change in the remaining time alone does not cause a new line, but a changed count does")
    func news() {
        var later = count
        later.secondsLeft = 3
        #expect(!later.saysMore(than: count))
        later.found += 1
        #expect(later.saysMore(than: count))
    }

    @Test("a remaining time of 100 s or more is shown in minutes")
    func minutes() {
        #expect(ProgressBar.time(99) == "99 s")
        #expect(ProgressBar.time(100) == "2 min")
        #expect(ProgressBar.time(3_600) == "60 min")
    }

    @Test("a line for a log contains no control characters and no bar")
    func line() {
        var count = count
        count.title = "a\nb"
        #expect(ProgressOutput.line(count) == #"45/100  40 found  5 not found  a\nb"#)
    }

    @Test("each reason has its own word, and all of them fit on one terminal line")
    func reasons() {
        var count = ProgressCount(total: 100, found: 40)
        for (number, reason) in FailureReason.allCases.enumerated() { count.missing[reason] = number + 1 }
        let line = ProgressOutput.line(count)
        for text in ["1 busy", "2 limited", "3 down", "4 not found", "5 invalid", "6 cancelled"] {
            #expect(line.contains(text))
        }
        #expect(DisplayWidth.of(ProgressBar(columns: 79, unicode: true).line(count)) <= 79)
        #expect(ProgressBar(columns: 79, unicode: true).line(count).contains("3 down"))
    }

    @Test("the counts of concurrent jobs are added, and the remaining time is that of the slowest one")
    func sum() {
        var sum = ProgressCount(total: 2, found: 1, missing: [.down: 1], title: "a", secondsLeft: 3)
        sum.add(ProgressCount(total: 3, found: 2, missing: [.down: 1, .notFound: 1], title: "b", secondsLeft: 2))
        #expect(
            sum == ProgressCount(total: 5, found: 3, missing: [.down: 2, .notFound: 1], title: "b", secondsLeft: 3))
    }
}

@Suite("Redrawn text")
struct LiveScreenTests {
    private func written(isTerminal: Bool, _ body: (LiveScreen) -> Void) -> [String] {
        let writes = NIOLockedValueBox<[String]>([])
        body(LiveScreen(isTerminal: isTerminal) { text in writes.withLockedValue { $0.append(text) } })
        return writes.withLockedValue { $0 }
    }

    @Test("on a terminal, each drawing is one write that completely replaces the previous drawing")
    func terminal() {
        let writes = written(isTerminal: true) { screen in
            screen.begin()
            screen.draw(["one", "two", "three"], rows: 2)
            screen.end()
        }
        #expect(
            writes == [
                "\u{1B}[?1049h\u{1B}[?25l", "\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J", "\u{1B}[?25h\u{1B}[?1049l",
            ])
    }

    @Test("without a terminal, drawings are printed one after the other")
    func blocks() {
        let writes = written(isTerminal: false) { screen in
            screen.begin()
            screen.draw(["one", "two"], rows: nil)
            screen.draw(["three"], rows: nil)
            screen.end()
        }
        #expect(writes == ["one\ntwo\n\n", "three\n\n"])
    }
}
