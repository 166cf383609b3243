import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// The emulator without a socket: what it decides about a request, with the sample catalogue.
struct EmulatorInMemory: Sendable {
    private static let stock = Result { try CatalogueSources(synthetic: 20).stock() }

    let emulator: Emulator

    init() throws { emulator = Emulator(stock: try Self.stock.get(), now: { .init(sinceStart: .zero, wall: .now) }) }

    func delivery(
        _ method: HTTPMethod = .GET, _ target: String, _ body: String = "", _ headers: HTTPHeaders = [:]
    ) -> Delivery {
        var headers = headers
        headers.add(name: "Host", value: "emulator.test")
        if headers["User-Agent"].isEmpty { headers.add(name: "User-Agent", value: "Tests/1.0 (tests@example.org)") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        return emulator.delivery(for: ReceivedRequest(head: head, body: ByteBuffer(string: body)))
    }

    /// - Throws: An issue, if the answer would not be sent as a whole.
    func answer(
        _ method: HTTPMethod = .GET, _ target: String, _ body: String = "", _ headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        guard case .whole(let answer) = delivery(method, target, body, headers).manner else {
            throw NoAnswer()
        }
        return answer
    }

    func setFaults(_ rules: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try answer(.PUT, "/_emulator/faults", rules).status == .ok, sourceLocation: sourceLocation)
    }

    struct NoAnswer: Error {}
}

extension Answer {
    var text: String { String(buffer: body) }

    func json() throws -> JSONValue { try JSONValue(parsing: Array(body.readableBytesView)) }
}
