import BookstrackClient
import BookstrackContract
import ServiceKit

/// The progress of a scan: a line for each photo, and below them a line for the books being looked up.
struct PhotoBars {
    /// Columns of a bar.
    private static let barColumns = 20
    /// Maximum width of a photo's name, in columns.
    private static let maxNameColumns = 28
    private static let booksName = "Books"

    let names: [String]
    var photos: [ScannedPhoto]
    var books = ProgressCount(total: 0)

    init(names: [String]) {
        self.names = names
        photos = names.indices.map(ScannedPhoto.init)
    }

    /// The lines, each at most as wide as `bar`'s terminal.
    func lines(_ bar: ProgressBar) -> [String] {
        let names = (names + [Self.booksName]).map(TerminalText.line)
        let columns = min(names.map { DisplayWidth.of($0) }.max() ?? 0, Self.maxNameColumns, bar.columns / 2)
        func label(_ name: String) -> String { DisplayWidth.pad(name, columns) + "  " }
        let room = bar.columns - columns - 2
        let shown = zip(names, photos).map { name, photo in
            let drawn = room >= Self.barColumns * 2 ? bar.bar(photo.status.progress, Self.barColumns) + "  " : ""
            return DisplayWidth.fit(label(name) + drawn + Self.text(photo), bar.columns)
        }
        guard books.total > 0 else { return shown }
        let rest = ProgressBar(columns: room, unicode: bar.unicode, maxBarColumns: Self.barColumns)
        return shown + [label(Self.booksName) + rest.line(books)]
    }

    /// State of a photo in words.
    static func text(_ photo: ScannedPhoto) -> String {
        switch photo.status {
        case .queued: "waiting"
        case .processing: "being read"
        case .complete: photo.booksFound == 0 ? "no books" : CountText.text(photo.booksFound, "book")
        case .error: "could not be read"
        }
    }
}

extension ScannedPhoto.Status {
    /// Share of the bar that is filled: half for a photo that is being read, because engines do not report their progress.
    fileprivate var progress: Double {
        switch self {
        case .queued, .error: 0
        case .processing: 0.5
        case .complete: 1
        }
    }
}

/// Draws the progress of a scan on standard error: bars that are redrawn in place, or a line for each change.
struct ScanProgressDisplay {
    private let output: ProgressOutput
    private var bars: PhotoBars
    /// Number of lines on the screen that the next drawing overwrites.
    private var drawn = 0

    init(_ output: ProgressOutput, names: [String]) {
        self.output = output
        bars = PhotoBars(names: names)
        draw()
    }

    mutating func take(_ event: JobEvent) {
        switch event.content {
        case .photos(let payload): take(payload.photos)
        case .progress, .completed, .state: take { $0.take(event) }
        case .started, .photosStarted, .photosCompleted, .failed, .cancelled, .resultsUpdated: break
        }
    }

    private mutating func take(_ photos: [ScannedPhoto]) {
        guard photos.count == bars.names.count else { return }
        if case .lines = output {
            for (name, (old, new)) in zip(bars.names, zip(bars.photos, photos)) where old.status != new.status {
                output.note("\(TerminalText.line(name)): \(PhotoBars.text(new))")
            }
        }
        bars.photos = photos
        draw()
    }

    private mutating func take(_ change: (inout ProgressCount) -> Void) {
        var books = bars.books
        change(&books)
        guard books.saysMore(than: bars.books) else { return }
        bars.books = books
        if case .lines = output { output.show(books) }
        draw()
    }

    /// Prints a message above the bars.
    mutating func note(_ text: String) {
        clear()
        output.note(text)
        draw()
    }

    /// Leaves the bars on the screen.
    mutating func finish() {
        if drawn > 0 { StandardStreams.writeError("\n") }
        drawn = 0
    }

    /// Why photos could not be read.
    var failures: [String] {
        zip(bars.names, bars.photos).compactMap { name, photo in
            photo.error.map { "\(TerminalText.line(name)): \($0)" }
        }
    }

    private mutating func draw() {
        guard case .bar(let bar) = output else { return }
        let lines = bars.lines(bar)
        StandardStreams.writeError(toStart + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n"))
        drawn = lines.count
    }

    private mutating func clear() {
        guard drawn > 0 else { return }
        StandardStreams.writeError(toStart + "\u{1B}[J")
        drawn = 0
    }

    /// Moves the cursor to the start of the first line (ECMA-48: CUU).
    private var toStart: String { "\r" + (drawn > 1 ? "\u{1B}[\(drawn - 1)A" : "") }
}
