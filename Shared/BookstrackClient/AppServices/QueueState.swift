import BookIdentifiers
public import BookstrackContract
import Foundation

/// What an ``EnrichmentQueue`` keeps over a new start. A value: every change is made whole, stored, and only then acted on.
struct QueueState: Codable, Equatable {
    /// A book that waits, or is looked up.
    struct Entry: Codable, Equatable {
        var book: BookQuery
        var priority: JobPriority
        var source: JobSource

        /// The same for every way to ask for the same book.
        var key: String { QueueState.key(of: book) }
    }

    /// The books of one job.
    struct Batch: Codable, Equatable {
        /// Chosen before the start is sent, so that a start repeated after a crash is the same job.
        var jobID: JobID
        var entries: [Entry]
        /// Whether the server has confirmed it.
        var isStarted = false
        /// Number of jobs before this one that failed as a whole.
        var failures = 0
    }

    /// Books of an ended job whose results the server tries to improve.
    struct Visit: Codable, Equatable {
        var jobID: JobID
        var entries: [Entry]
        /// Times at which the results are read again, earliest first.
        var due: [Date]
    }

    /// Books of a job that failed as a whole.
    struct Postponed: Codable, Equatable {
        var entries: [Entry]
        var failures: Int
        var due: Date
    }

    /// Books of a job at most.
    static let batchLimit = 100
    /// Pauses after which failures are tried again (jobs.md "Retries").
    static let pauses: [Duration] = [.seconds(3_600), .seconds(4 * 3_600), .seconds(24 * 3_600)]
    /// The server needs some minutes for its retries before their results can be read.
    private static let margin: TimeInterval = 300

    var pending: [Entry] = []
    var current: Batch?
    var visits: [Visit] = []
    var postponed: [Postponed] = []

    /// An ISBN in any form is the same book, and so is a title in any spelling of its letters.
    static func key(of book: BookQuery) -> String {
        if let text = book.isbn, let isbn = ISBN(text) { return "isbn:\(isbn.isbn13)" }
        if let text = book.isbn { return "text:\(text)" }
        if let work = book.workId { return "work:\(work)" }
        let words = [book.title, book.author].map {
            ($0 ?? "").lowercased().split(separator: " ").joined(separator: " ")
        }
        return "book:\(words.joined(separator: "|"))"
    }

    private var keys: Set<String> {
        let entries = pending + (current?.entries ?? []) + visits.flatMap(\.entries) + postponed.flatMap(\.entries)
        return Set(entries.map(\.key))
    }

    /// Adds books that are not in the queue; those of high priority before the others.
    mutating func add(_ books: [BookQuery], _ priority: JobPriority, _ source: JobSource) {
        var known = keys
        let added = books.map { Entry(book: $0, priority: priority, source: source) }.filter {
            known.insert($0.key).inserted
        }
        let place =
            priority == .high ? pending.firstIndex { $0.priority != .high } ?? pending.endIndex : pending.endIndex
        pending.insert(contentsOf: added, at: place)
    }

    /// Moves a waiting book to the front; false if it does not wait.
    mutating func prioritize(_ book: BookQuery) -> Bool {
        guard let place = pending.firstIndex(where: { $0.key == Self.key(of: book) }) else { return false }
        var entry = pending.remove(at: place)
        entry.priority = .high
        pending.insert(entry, at: 0)
        return true
    }

    /// Removes a waiting book; false if it does not wait.
    mutating func remove(_ book: BookQuery) -> Bool {
        guard let place = pending.firstIndex(where: { $0.key == Self.key(of: book) }) else { return false }
        pending.remove(at: place)
        return true
    }

    /// Takes the next books into a job, unless there is one: books whose job failed as a whole and that are due, else those that wait.
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

    /// Ends the current job with its results. Rows that may still succeed are visited again, since the server retries them by itself: a second
    /// job would look the books up twice.
    mutating func complete(_ rows: [EnrichedBook], at now: Date) {
        guard let batch = current else { return }
        current = nil
        let open = Set(rows.filter { !$0.success && $0.retryable == true }.map { Self.key(of: $0.asked) })
        let entries = batch.entries.filter { open.contains($0.key) }
        guard !entries.isEmpty else { return }
        let due = Self.pauses.map { now.addingTimeInterval($0.seconds + Self.margin) }
        visits.append(Visit(jobID: batch.jobID, entries: entries, due: due))
    }

    /// Ends the current job, which failed as a whole; false if it is not tried again.
    mutating func fail(isRetryable: Bool, at now: Date) -> Bool {
        guard let batch = current else { return false }
        current = nil
        guard isRetryable, batch.failures < Self.pauses.count else { return false }
        let due = now.addingTimeInterval(Self.pauses[batch.failures].seconds)
        postponed.append(Postponed(entries: batch.entries, failures: batch.failures + 1, due: due))
        return true
    }

    /// The server no longer knows the current job: its books wait again, before all others.
    mutating func requeue() {
        pending.insert(contentsOf: current?.entries ?? [], at: 0)
        current = nil
    }

    /// The visit that is due.
    func dueVisit(at now: Date) -> Visit? { visits.first { $0.due.first.map { $0 <= now } ?? true } }

    /// Notes the results of a visit and returns the rows that have become better; `rows` is nil if the results are gone.
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

    /// When something is due that does not wait for anything else.
    var nextDue: Date? { (visits.compactMap(\.due.first) + postponed.map(\.due)).min() }
}

extension EnrichedBook {
    /// What was asked for.
    public var asked: BookQuery { BookQuery(title: title, author: author, isbn: isbn, workId: workId, row: row) }
}
