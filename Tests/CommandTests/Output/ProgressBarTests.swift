import Testing

@testable import BookstrackCLI

@Suite("The progress bar")
struct ProgressBarTests {
    let count = ProgressCount(total: 100, found: 40, notFound: 5, title: "ノルウェイの森", secondsLeft: 12)

    @Test("on a wide terminal it shows bar, percentage, counts, time and title")
    func wide() {
        #expect(
            ProgressBar(columns: 100, unicode: false).line(count)
                == "[#############-----------------]  45 %  45/100  40 found  5 not found  12 s left  ノルウェイの森")
        #expect(
            ProgressBar(columns: 60, unicode: true).line(count)
                == "████░░░░░░  45 %  45/100  40 found  5 not found  12 s left")
    }

    @Test("it never exceeds the width", arguments: 1...120)
    func bounded(columns: Int) {
        for unicode in [true, false] {
            let line = ProgressBar(columns: columns, unicode: unicode).line(count)
            #expect(DisplayWidth.of(line) <= columns)
        }
    }

    @Test("it begins empty, ends full, and an empty run is done")
    func ends() {
        let bar = ProgressBar(columns: 40, unicode: false)
        #expect(bar.line(ProgressCount(total: 2)) == "[------------------]   0 %  0/2  0 found")
        #expect(bar.line(ProgressCount(total: 2, found: 2)) == "[##################] 100 %  2/2  2 found")
        #expect(bar.line(ProgressCount(total: 0)).contains("100 %"))
    }

    @Test("the time left alone is not worth another line")
    func news() {
        var later = count
        later.secondsLeft = 3
        #expect(!later.saysMore(than: count))
        later.found += 1
        #expect(later.saysMore(than: count))
    }

    @Test("long waits are shown in minutes")
    func minutes() {
        #expect(ProgressBar.time(99) == "99 s")
        #expect(ProgressBar.time(100) == "2 min")
        #expect(ProgressBar.time(3_600) == "60 min")
    }

    @Test("a line for a log has no control characters and no bar")
    func line() {
        var count = count
        count.title = "a\nb"
        #expect(ProgressOutput.line(count) == #"45/100  40 found  5 not found  a\nb"#)
    }
}
