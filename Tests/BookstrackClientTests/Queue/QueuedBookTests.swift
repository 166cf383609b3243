import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import Testing

@Suite("Books in the queue", .timeLimit(.minutes(1)))
@MainActor
struct QueuedBookTests {
    private let rig = QueueRig()

    @Test("a book is queued once, however its ISBN or title is written")
    func deduplication() throws {
        let queue = try rig.queue()
        try queue.enqueue(isbns: ["978-0-441-17271-9", "0441172717", "9780441172719"])
        try queue.enqueue([
            BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(title: " dune", author: "frank  herbert"),
        ])
        #expect(queue.pendingCount == 2)
    }

    @Test("different books with the same unusable ISBN are all queued")
    func unusableISBNs() throws {
        let queue = try rig.queue()
        for isbn in ["", "unknown"] {
            try queue.enqueue([
                BookQuery(title: "Emma", isbn: isbn), BookQuery(title: "Dune", isbn: isbn),
                BookQuery(isbn: isbn, workId: "OL1W"), BookQuery(title: " ", isbn: isbn),
            ])
        }
        #expect(queue.pendingCount == 5)
    }

    @Test("delivered rows have the row numbers of the imported books that were queued")
    func rowNumbers() async throws {
        await rig.books(2)
        let queue = try rig.queue()
        try queue.enqueue([BookQuery(isbn: QueueRig.isbn(0), row: 7), BookQuery(isbn: QueueRig.isbn(1))])
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.rows.map(\.row) == [7, nil])
    }

    @Test("250 books are divided into three jobs of at most 100 books")
    func batches() async throws {
        await rig.books(250)
        let queue = try rig.queue()
        try queue.enqueue(isbns: (0..<250).map(QueueRig.isbn))
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        var sizes: [Int] = []
        for job in await rig.server.jobIDs { sizes.append(await rig.server.items(of: job).count) }
        #expect(sizes.sorted() == [50, 100, 100])
        #expect(rig.library.keys().sorted() == (0..<250).map(QueueRig.isbn).sorted())
    }

    @Test("a book that the user is viewing is looked up first, and a removed book is not looked up")
    func order() async throws {
        await rig.server.setSteps(.manual)
        let queue = try rig.queue()
        try queue.enqueue(isbns: (0..<150).map(QueueRig.isbn))
        #expect(try queue.prioritize(BookQuery(isbn: QueueRig.isbn(140))))
        #expect(try queue.dequeue(BookQuery(isbn: QueueRig.isbn(0))))
        #expect(try !queue.dequeue(BookQuery(isbn: QueueRig.isbn(0))))
        try queue.enqueue(isbns: [QueueRig.isbn(200)], priority: .high)
        queue.start()
        try await rig.drain(queue) { queue.currentJobId != nil && queue.pendingCount == 148 }
        let job = try #require(queue.currentJobId)
        let stored = try JSONDecoder().decode(StoredQueue.self, from: #require(rig.storage.load()))
        #expect(stored.current?.jobID == job)
        #expect(stored.current?.entries.map(\.book.isbn) == [QueueRig.isbn(140), QueueRig.isbn(200)])
    }
}

/// The members of a stored queue that the tests read.
private struct StoredQueue: Decodable {
    struct Batch: Decodable {
        var jobID: JobID
        var entries: [Entry]
    }

    struct Entry: Decodable {
        var book: BookQuery
    }

    var current: Batch?
}
