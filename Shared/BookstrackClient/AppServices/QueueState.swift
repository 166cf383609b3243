import BookIdentifiers
public import BookstrackContract
public import Foundation

/// The state that an ``EnrichmentQueue`` keeps across launches. It is a value: every change is applied as a whole, stored, and only then acted on.
struct QueueState: Codable, Equatable {
    /// A book in the queue, with the priority and the source of its job.
    struct Entry: Codable, Equatable {
        var book: BookQuery
        var priority: JobPriority
        var source: JobSource

        /// The same for all queries for the same book.
        var key: String { QueueState.key(of: book) }
    }

    /// The books of one job.
    struct Batch: Codable, Equatable {
        /// The job's identifier, chosen before the start request is sent, so repeating the request after a crash does not start a second job.
        var jobID: JobID
        var entries: [Entry]
        /// Whether the server has confirmed the job.
        var isStarted = false
        /// Number of earlier jobs that did not look up these books before their deadlines.
        var failures = 0

        /// Whether the job did not look up a row's book before its deadline, and the book is to be put into another job.
        func missed(_ row: EnrichedBook) -> Bool {
            row.errorCode == .deadlineExceeded && failures < QueueState.pauses.count
        }
    }

    /// The books of an ended job whose results the server is still trying to improve.
    struct Visit: Codable, Equatable {
        var jobID: JobID
        var entries: [Entry]
        /// When to read the results again, earliest first.
        var due: [Date]
    }

    /// The books of a job that is to be started, because an earlier job did not look them up before its deadline or was refused and divided.
    struct Postponed: Codable, Equatable {
        var entries: [Entry]
        var failures: Int
        var due: Date
    }

    /// Maximum number of books per job.
    static let batchLimit = 100
    /// Delays before failures are retried (jobs.md "Retries").
    static let pauses: [Duration] = [.seconds(3_600), .seconds(4 * 3_600), .seconds(24 * 3_600)]
    /// Added to each delay before results are read again, because the server needs a few minutes for its retries.
    private static let margin: TimeInterval = 300

    var pending: [Entry] = []
    var current: Batch?
    var visits: [Visit] = []
    var postponed: [Postponed] = []
    /// Jobs whose books were removed, and which are still to be cancelled.
    var removed: [JobID] = []

    /// Identifies a book. Different forms of an ISBN have the same key, and so do titles and authors that differ only in case or spacing. A book also
    /// has the same key as its row in the results, whose texts may have been cut. An unusable ISBN identifies a book only if nothing else does.
    static func key(of book: BookQuery) -> String {
        let book = book.fitting
        if let text = book.isbn, let isbn = ISBN(text) { return "isbn:\(isbn.isbn13)" }
        if let work = book.workId { return "work:\(work)" }
        let words = [book.title, book.author].map {
            ($0 ?? "").lowercased().split(separator: " ").joined(separator: " ")
        }
        if let text = book.isbn, words[0].isEmpty { return "text:\(text)" }
        return "book:\(words.joined(separator: "|"))"
    }

    private var keys: Set<String> {
        let entries = pending + (current?.entries ?? []) + visits.flatMap(\.entries) + postponed.flatMap(\.entries)
        return Set(entries.map(\.key))
    }

    /// Adds books that are not in the queue; high-priority books come first.
    mutating func add(_ books: [BookQuery], _ priority: JobPriority, _ source: JobSource) {
        var known = keys
        let added = books.map { Entry(book: $0, priority: priority, source: source) }.filter {
            known.insert($0.key).inserted
        }
        let place =
            priority == .high ? pending.firstIndex { $0.priority != .high } ?? pending.endIndex : pending.endIndex
        pending.insert(contentsOf: added, at: place)
    }

    /// Moves a waiting book to the front and gives it high priority; false if the book is not waiting.
    mutating func prioritize(_ book: BookQuery) -> Bool {
        guard let place = pending.firstIndex(where: { $0.key == Self.key(of: book) }) else { return false }
        var entry = pending.remove(at: place)
        entry.priority = .high
        pending.insert(entry, at: 0)
        return true
    }

    /// Removes a waiting book; false if the book is not waiting.
    mutating func remove(_ book: BookQuery) -> Bool {
        guard let place = pending.firstIndex(where: { $0.key == Self.key(of: book) }) else { return false }
        pending.remove(at: place)
        return true
    }

    /// Moves the next books into a job unless there is one already. The books of an earlier job whose restart is due come before waiting books. All
    /// waiting books of one job have the same priority and source.
    mutating func begin(at now: Date) {
        guard current == nil else { return }
        if let place = postponed.firstIndex(where: { $0.due <= now }) {
            let due = postponed.remove(at: place)
            current = Batch(jobID: .random(), entries: due.entries, failures: due.failures)
        } else if let first = pending.first {
            let next = pending.prefix { $0.priority == first.priority && $0.source == first.source }
            let entries = Array(next.prefix(Self.batchLimit))
            pending.removeFirst(entries.count)
            current = Batch(jobID: .random(), entries: entries)
        }
    }

    /// Ends the current job with its results. The results of rows that may still succeed are read again later, because the server retries them
    /// automatically and a second job would look the books up twice. Books that the job did not look up are put into another job later.
    mutating func complete(_ rows: [EnrichedBook], at now: Date) {
        guard let batch = current else { return }
        current = nil
        func entries(of isMeant: (EnrichedBook) -> Bool) -> [Entry] {
            let keys = Set(rows.filter(isMeant).map { Self.key(of: $0.asked) })
            return batch.entries.filter { keys.contains($0.key) }
        }
        let missed = entries(of: batch.missed)
        if !missed.isEmpty {
            let due = now.addingTimeInterval(Self.pauses[batch.failures].seconds)
            postponed.append(Postponed(entries: missed, failures: batch.failures + 1, due: due))
        }
        let open = entries(of: { !$0.success && $0.retryable == true && !batch.missed($0) })
        if !open.isEmpty {
            visits.append(Visit(jobID: batch.jobID, entries: open, due: Self.visitDates(after: now)))
        }
    }

    /// Replaces the current job, which the server refuses, with jobs of at most `size` books, which come next.
    mutating func divide(size: Int, at now: Date) {
        guard let batch = current else { return }
        current = nil
        let parts = stride(from: 0, to: batch.entries.count, by: size).map { start in
            let entries = Array(batch.entries[start..<min(start + size, batch.entries.count)])
            return Postponed(entries: entries, failures: batch.failures, due: now)
        }
        postponed.insert(contentsOf: parts, at: 0)
    }

    /// Returns the current job's books to the front of the queue, because the job no longer exists on the server.
    mutating func requeue() {
        pending.insert(contentsOf: current?.entries ?? [], at: 0)
        current = nil
    }

    /// Changes the dates that lie further ahead than the longest delay, because the clock was set back after they were stored: those of visits are
    /// recalculated, and postponed jobs become due immediately.
    mutating func bringForward(at now: Date) {
        let dates = Self.visitDates(after: now)
        let isTooLate = { (date: Date) in dates.allSatisfy { $0 < date } }
        for place in visits.indices where visits[place].due.first.map(isTooLate) == true {
            visits[place].due = dates.suffix(visits[place].due.count)
        }
        for place in postponed.indices where isTooLate(postponed[place].due) { postponed[place].due = now }
    }

    /// When to reread the results of a job that ended at `date`.
    private static func visitDates(after date: Date) -> [Date] {
        pauses.map { date.addingTimeInterval($0.seconds + margin) }
    }

    /// The first visit that is due; nil if none is.
    func dueVisit(at now: Date) -> Visit? { visits.first { $0.due.first.map { $0 <= now } ?? true } }

    /// Records the results of a visit and returns the improved rows; `rows` is nil if the results were deleted.
    mutating func note(_ rows: [EnrichedBook]?, of visit: Visit) -> [EnrichedBook] {
        guard let place = visits.firstIndex(where: { $0.jobID == visit.jobID }) else { return [] }
        let open = Set(visits[place].entries.map(\.key))
        let better = (rows ?? []).filter { $0.success && open.contains(Self.key(of: $0.asked)) }
        let found = Set(better.map { Self.key(of: $0.asked) })
        visits[place].entries.removeAll { found.contains($0.key) }
        visits[place].due = Array(visits[place].due.dropFirst())
        if rows == nil || visits[place].entries.isEmpty || visits[place].due.isEmpty { visits.remove(at: place) }
        return better
    }

    /// When the next visit or postponed job is due; nil if there is none.
    var nextDue: Date? { (visits.compactMap(\.due.first) + postponed.map(\.due)).min() }
}

extension EnrichedBook {
    /// The book that was requested.
    public var asked: BookQuery { BookQuery(title: title, author: author, isbn: isbn, workId: workId, row: row) }
}

extension [QueueState.Entry] {
    /// Adds the queued books' row numbers to rows of results, which lack them because requests do not contain row numbers.
    func numbered(_ rows: [EnrichedBook]) -> [EnrichedBook] {
        let numbers = Dictionary(map { ($0.key, $0.book.row) }) { first, _ in first }
        return rows.map { row in
            var row = row
            if row.row == nil, let number = numbers[QueueState.key(of: row.asked)] { row.row = number }
            return row
        }
    }
}

/// Storage for a queue.
public protocol QueueStorage: Sendable {
    /// The data last saved; nil if none was saved.
    func load() throws -> Data?

    /// Atomically replaces the saved data with `data`.
    func save(_ data: Data) throws
}

/// Stores a queue in a file that only its owner can read.
public struct FileQueueStorage: QueueStorage {
    private let file: PrivateFile

    /// Uses the file at `url`, which is created on the first change.
    public init(url: URL) { file = PrivateFile(url: url) }

    /// The content of the file; nil if the file does not exist.
    public func load() throws -> Data? { try file.read() }

    /// Replaces the content of the file.
    public func save(_ data: Data) throws { try file.write(data) }
}
