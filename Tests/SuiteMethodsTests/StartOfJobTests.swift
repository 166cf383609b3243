import BookstrackContract
import SuiteMethods
import TestSupport
import Testing

/// The conversion of a job start to calls: digests that recognize a repeated start, and pages of large batches
/// (http-api.md "Starting a job"). Also the names of services and workers.
@Suite("Job starts, and the names of services")
struct StartOfJobTests {
    @Test(
        "a list's digest covers its members and their lengths, and is the same on every machine and in every version",
        arguments: [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                [BookQuery(title: "Dune", author: "Frank Herbert", isbn: "9780441172719")],
                "330d301ff9b249e8d09a6d32053ca7292005a76ccc7bdec1688d7550a6dba840"
            ),
            (
                [BookQuery(isbn: "9780441172719"), BookQuery(workId: "OL45804W")],
                "31d619367230d38b0c152b1fdb7fc86c1c3863f49ce58359cfb8e007993a4b95"
            ),
        ] as [([BookQuery], String)])
    func digests(items: [BookQuery], digest: String) {
        #expect(JobDigest.of(items) == digest)
    }

    @Test(
        "different lists have different digests",
        arguments: [
            ([BookQuery(title: "a", author: "b")], [BookQuery(title: "ab")]),
            ([BookQuery(title: "a")], [BookQuery(author: "a")]), ([BookQuery(title: "")], [BookQuery()]),
            ([BookQuery(title: "a"), BookQuery(title: "b")], [BookQuery(title: "b"), BookQuery(title: "a")]),
            ([BookQuery(title: "a")], [BookQuery(title: "a"), BookQuery()]),
        ] as [([BookQuery], [BookQuery])])
    func different(one: [BookQuery], other: [BookQuery]) {
        #expect(JobDigest.of(one) != JobDigest.of(other))
    }

    @Test("a book's row number in an imported file is not part of the digest")
    func rows() {
        #expect(JobDigest.of([BookQuery(title: "a", row: 1)]) == JobDigest.of([BookQuery(title: "a", row: 2)]))
    }

    @Test("the job identifier for a single book is derived from the client's key and address")
    func derived() {
        #expect(
            JobID.derived(from: "scan-0001", of: "203.0.113.7").text
                == "1b877db7b723fa1b80e1f5c78c44b731b60847b96b5cf0bb8956e196b12f4635")
        #expect(
            JobID.derived(from: "scan-0001", of: "203.0.113.8") != JobID.derived(from: "scan-0001", of: "203.0.113.7"))
        #expect(
            JobID.derived(from: "scan-0002", of: "203.0.113.7") != JobID.derived(from: "scan-0001", of: "203.0.113.7"))
    }

    @Test("a batch is split where the next book would exceed the page, and no book is lost")
    func pages() {
        let items = (0..<10).map { BookQuery(isbn: "978044117271\($0)") }
        let length = ItemPages.jsonLength(of: items[0])
        #expect(ItemPages.split(items, pageBytes: length * 4).map(\.count) == [4, 4, 2])
        #expect(ItemPages.split(items, pageBytes: length * 4 - 1).map(\.count) == [3, 3, 3, 1])
        #expect(ItemPages.split(items, pageBytes: length * 4).flatMap(\.self) == items)
        #expect(ItemPages.split(items).map(\.count) == [10])
        #expect(ItemPages.split([]).map(\.count) == [0])
    }

    @Test("a book that is longer than a page has its own page")
    func longBook() {
        let items = [BookQuery(isbn: "1"), BookQuery(title: String(repeating: "x", count: 100)), BookQuery(isbn: "2")]
        #expect(ItemPages.split(items, pageBytes: 50).map(\.count) == [1, 1, 1])
    }

    @Test(
        "an encoded book is never longer than its computed length",
        arguments: [
            BookQuery(), BookQuery(title: "Dune"), BookQuery(title: "a\"b\\c/d\n\u{1}é", author: "\u{0}", isbn: "1"),
            BookQuery(title: "t", author: "a", isbn: "i", workId: "w", row: .max), BookQuery(row: 1),
        ])
    func lengths(item: BookQuery) throws {
        // Including the comma before the book.
        #expect(try WireForm.of(item).utf8.count + 1 <= ItemPages.jsonLength(of: item))
    }

    @Test(
        "a worker's name consists of 1 to 16 lowercase letters, digits and inner hyphens",
        arguments: [
            ("a", true), ("b2", true), ("gpu-1", true), ("0123456789abcdef", true), ("", false),
            ("0123456789abcdefg", false),
            ("-a", false), ("a-", false), ("A", false), ("a_b", false), ("a.b", false), ("a/b", false), ("ä", false),
        ])
    func workerNames(text: String, isName: Bool) {
        #expect((WorkerName(text) != nil) == isName)
    }

    @Test(
        "a service's name and its socket's name can be derived from each other",
        arguments: [
            ("api-proxy", "api-proxy.sock"), ("progress-host", "progress-host.sock"),
            ("enrichment-worker", "enrichment-worker.sock"), ("enrichment-worker-b", "enrichment-worker-b.sock"),
        ])
    func services(name: String, socket: String) throws {
        let instance = try #require(ServiceInstance(name: name))
        #expect(instance.name == name)
        #expect(instance.socketName == socket)
        #expect(ServiceInstance(socketName: socket) == instance)
    }

    @Test(
        "an unknown service or an invalid worker name does not identify a service",
        arguments: ["", "mail", "api-proxy-2", "enrichment-worker-", "enrichment-worker-B", "enrichment-workers"])
    func noServices(name: String) {
        #expect(ServiceInstance(name: name) == nil)
        #expect(ServiceInstance(socketName: name + ".sock") == nil)
    }

    @Test("the main worker may also be called enrichment-worker-main, but its socket has only one name")
    func mainWorker() {
        #expect(ServiceInstance(name: "enrichment-worker-main") == .enrichmentWorker)
        #expect(ServiceInstance(socketName: "enrichment-worker-main.sock") == nil)
        #expect(ServiceInstance.worker(.main).name == "enrichment-worker")
    }

    @Test("workers are listed with the main worker first")
    func order() {
        let names = ["b", "a", "main", "z1"].compactMap { WorkerName($0) }
        #expect(names.sorted().map(\.text) == ["main", "a", "b", "z1"])
    }
}
