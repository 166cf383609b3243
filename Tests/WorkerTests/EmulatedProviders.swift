import BookIdentifiers
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

@testable import ProviderEmulator

/// The real emulator on a free port, with the sample catalog and some synthetic books, controlled by calls instead of
/// HTTP.
struct EmulatedProviders: Sendable {
    private let emulator: Emulator
    private let server: EmulatorServer

    var url: String { server.url }

    /// - Parameter books: The providers' books, replacing the sample and the synthetic books.
    static func start(
        synthetic: Int = 200, books: [CatalogBook]? = nil, latency: Duration = .zero
    ) async throws -> EmulatedProviders {
        var stock = Stock()
        for book in books ?? SampleCatalog.books { stock.add(book) }
        for index in 0..<(books == nil ? synthetic : 0) {
            if let book = SyntheticCatalog.book(index) { stock.add(book) }
        }
        let emulator = Emulator(stock: stock, latency: latency)
        let server = try await EmulatorServer.start(
            emulator, port: 0, group: MultiThreadedEventLoopGroup.singleton.next())
        return EmulatedProviders(emulator: emulator, server: server)
    }

    func stop() async throws { try await server.stop() }

    /// The ISBNs of the synthetic books with these numbers; every provider of books has them.
    static func isbns(_ range: Range<Int>) -> [String] {
        range.compactMap { SyntheticCatalog.isbn($0)?.isbn13 }
    }

    /// Replaces the fault rules; `rules` are those of `PUT /_emulator/faults`.
    func setFaults(_ rules: String) {
        _ = tell(.PUT, "faults", body: rules)
    }

    /// All requests so far, with path and requested ISBNs.
    var log: [LoggedRequest] {
        tell(.GET, "log").split(separator: "\n").compactMap {
            try? JSONDecoder().decode(LoggedRequest.self, from: Data($0.utf8))
        }
    }

    /// All title requests so far.
    var titleRequests: [LoggedRequest] {
        log.filter { $0.path.contains("title=") || $0.path.contains("intitle:") }
    }

    /// The number of requests that have not been answered yet.
    var inFlight: Int {
        struct Statistics: Decodable {
            struct Provider: Decodable { let inFlight: Int }
            let providers: [String: Provider]
        }
        let statistics = try? JSONDecoder().decode(Statistics.self, from: Data(tell(.GET, "stats").utf8))
        return statistics?.providers.values.reduce(0) { $0 + $1.inFlight } ?? 0
    }

    private func tell(_ method: HTTPMethod, _ route: String, body: String = "") -> String {
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/_emulator/\(route)")
        let delivery = emulator.delivery(for: ReceivedRequest(head: head, body: ByteBuffer(string: body)))
        guard case .whole(let answer) = delivery.manner else { return "" }
        return String(buffer: answer.body)
    }
}

/// A line of the emulator's log.
struct LoggedRequest: Decodable, Sendable {
    let provider: String
    let path: String
    let isbns: [String]
    let monotonicMs: Double
}
