import Foundation
import NIOPosix
import Testing

@testable import ProviderEmulator

/// The real server on a free port, with the sample catalogue and some made-up books.
struct RunningEmulator: Sendable {
    let port: Int

    static func run(
        synthetic: Int = 20, logLimit: Int = 1000, _ body: (RunningEmulator) async throws -> Void
    ) async throws {
        let stock = try CatalogueSources(synthetic: synthetic).stock()
        let server = try await EmulatorServer.start(
            Emulator(stock: stock, logLimit: logLimit), port: 0, group: MultiThreadedEventLoopGroup.singleton.next())
        do {
            try await body(RunningEmulator(port: server.port))
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    func get(_ target: String, headers: [String: String] = [:]) async throws -> RawAnswer {
        try await request("GET", target, headers: headers)
    }

    func request(_ method: String, _ target: String, body: String = "", headers: [String: String] = [:]) async throws
        -> RawAnswer
    {
        let connection = try await RawConnection(port: port)
        try await connection.send(method, target, body: body, headers: headers)
        return try await connection.received()
    }

    func json(_ target: String) async throws -> JSONValue {
        try JSONParser.parse(try await get(target).body)
    }

    func setFaults(_ rules: String) async throws {
        let answer = try await request("PUT", "/_emulator/faults", body: rules)
        #expect(answer.status == 200, "\(answer.text)")
    }

    func log() async throws -> [JSONValue] {
        try await get("/_emulator/log").body.split(separator: UInt8(ascii: "\n")).map {
            try JSONParser.parse(Array($0))
        }
    }
}
