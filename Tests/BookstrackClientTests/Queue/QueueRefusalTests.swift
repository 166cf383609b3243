import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import Testing

@Suite("Books, jobs and requests that are refused", .timeLimit(.minutes(1)))
@MainActor
struct QueueRefusalTests {
    private let rig = QueueRig()

    @Test("a text that is too long, U+0000 and the row number of a file do not prevent books from being found")
    func unfit() async throws {
        await rig.books(2)
        let queue = try rig.queue()
        try queue.enqueue([
            BookQuery(title: "Book 0", isbn: QueueRig.isbn(0), row: 1),
            BookQuery(title: "Book\0 1", isbn: QueueRig.isbn(1)),
            BookQuery(title: String(repeating: "x", count: 501), isbn: String(repeating: "9", count: 33)),
        ])
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.keys { $0.success } == [QueueRig.isbn(0), QueueRig.isbn(1)])
        #expect(rig.library.rows.count == 3)
        #expect(await rig.server.jobIDs.count == 1)
    }

    @Test("a book whose title was cut is checked again if no provider could look it up")
    func cutTitle() async throws {
        let title = String(repeating: "x", count: 500)
        await rig.server.add(
            FakeBook(isbn: QueueRig.isbn(0), title: title, author: "Author", failure: .providerTimeout))
        let queue = try rig.queue()
        try queue.enqueue([BookQuery(title: title + "y")])
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(await rig.server.calls.count { $0.hasPrefix("GET /v1/enrichment/results/") } == 4)
    }

    @Test("a server that accepts only smaller jobs receives smaller ones, and no book twice")
    func smallerJobs() async throws {
        await rig.books(25)
        await rig.server.limitBatches(to: 10)
        let queue = try rig.queue()
        try queue.enqueue(isbns: (0..<25).map(QueueRig.isbn))
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.keys { $0.success } == (0..<25).map(QueueRig.isbn))
        #expect(await rig.server.calls.count { $0 == "POST /v1/enrichment/batch" } == 4)
    }

    @Test("if the server refuses a book, only this book is given up")
    func refusedBook() async throws {
        await rig.books(7)
        let queue = try rig.queue(PickyServer(server: rig.server))
        try queue.enqueue((0..<7).map { BookQuery(title: $0 == 4 ? PickyServer.title : nil, isbn: QueueRig.isbn($0)) })
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.keys { !$0.success } == [QueueRig.isbn(4)])
        #expect(rig.library.keys().sorted() == (0..<7).map(QueueRig.isbn))
    }

    @Test(
        "a start that a proxy answers with an error page is repeated, and no book is given up",
        arguments: [302, 403, 404, 407, 408, 413])
    func refusedStart(status: Int) async throws {
        await rig.books(1)
        await rig.server.failNext(ClientAnswer(status: status, body: Data("<html>".utf8)))
        let queue = try rig.queue()
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.rows.map(\.success) == [true])
        #expect(await rig.server.jobIDs.count == 1)
    }

    @Test(
        "a proxy's 404 in place of results neither starts the job again nor prevents later checks of its results",
        arguments: 1...4)
    func missingResults(read: Int) async throws {
        await rig.books(1, failure: .providerTimeout)
        let queue = try rig.queue(ErrorPage(inPlaceOfRead: read, from: rig.server))
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        #expect(await rig.server.jobIDs.count == 1)
        let reads = await rig.server.calls.count { $0.hasPrefix("GET \(ErrorPage.results)") }
        #expect(reads == 4)
    }
}
