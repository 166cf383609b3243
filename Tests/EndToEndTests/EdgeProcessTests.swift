import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("api-proxy as a process", .serialized, .timeLimit(.minutes(2)))
final class EdgeProcessTests {
    private let directory = URL(filePath: "/tmp").appending(path: "bt-\(UInt32.random(in: .min ... .max))")

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func proxy(_ settings: [String: String]) -> ServiceProcess {
        let own = [
            "BOOKSTRACK_RUNTIME_DIR": directory.appending(path: "run").path,
            "BOOKSTRACK_DATA_DIR": directory.appending(path: "data").path, "BOOKSTRACK_LOG_FORMAT": "pretty",
            "BOOKSTRACK_LOG_LEVEL": "warning", "BOOKSTRACK_HTTP_PORT": "0", "BOOKSTRACK_ADMIN_PORT": "0",
        ]
        return ServiceProcess(
            .apiProxy, environment: own.merging(settings) { $1 }, logPath: directory.appending(path: "log").path)
    }

    /// The lines that the process has logged.
    private func lines(_ process: ServiceProcess) -> [Substring] { process.log.split(separator: "\n") }

    @Test(
        "if a port is in use, api-proxy exits with status 1 and logs one line that names the setting",
        arguments: ["BOOKSTRACK_HTTP_PORT", "BOOKSTRACK_ADMIN_PORT"])
    func portInUse(setting: String) async throws {
        let taken = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        let process = proxy([setting: "\(port)"])
        try await process.start()
        #expect(await process.wait() == 1)
        #expect(lines(process).count == 1, "\(process.log)")
        #expect(
            process.log.contains(
                "port \(port) of 127.0.0.1 is in use by another process, which `ss -ltnp sport = :\(port)` shows: stop it, or set \(setting)\n"
            ), "\(process.log)")
        try await taken.close()
    }

    @Test("if a listed origin is one that browsers never send, api-proxy exits with status 78 and logs one line")
    func badOrigin() async throws {
        let process = proxy(["BOOKSTRACK_CORS_ORIGINS": "https://books.example.org/app"])
        try await process.start()
        #expect(await process.wait() == 78)
        #expect(lines(process).count == 1, "\(process.log)")
        #expect(process.log.hasPrefix("api-proxy: BOOKSTRACK_CORS_ORIGINS must be origins such as"))
    }

    @Test("while one api-proxy takes over from another, no request is refused or left without a response")
    func takeOver() async throws {
        let port = try await FreePort.find()
        let settings = ["BOOKSTRACK_HTTP_PORT": "\(port)", "BOOKSTRACK_RATE_LIMIT": "off"]
        var running = proxy(settings)
        try await running.start()
        let address = ServerAddress(host: "127.0.0.1", port: port)
        let isOver = NIOLockedValueBox(false)
        let answered = NIOLockedValueBox(0)
        try await until { (try? await Self.isLive(address)) == true }
        try await withThrowingTaskGroup { clients in
            for _ in 0..<4 {
                clients.addTask {
                    while !isOver.withLockedValue({ $0 }) {
                        let isLive = try await Self.isLive(address)
                        #expect(isLive)
                        answered.withLockedValue { $0 += 1 }
                    }
                }
            }
            for _ in 0..<3 {
                let successor = proxy(settings.merging(["BOOKSTRACK_TAKE_OVER": "on"]) { $1 })
                try await successor.start()
                #expect(await running.wait() == 0)
                let before = answered.withLockedValue { $0 }
                try await until { answered.withLockedValue({ $0 }) >= before + 20 }
                running = successor
            }
            isOver.withLockedValue { $0 = true }
            try await clients.waitForAll()
        }
        #expect(await running.end(SIGTERM) == 0)
    }

    @Test(
        "a successor that refuses a setting exits with status 78, and the running api-proxy continues to serve",
        arguments: [
            ([:], ["BOOKSTRACK_CONSOLE": "write"]), ([:], ["BOOKSTRACK_CONSOLE_TOKEN": "short"]),
            ([:], ["BOOKSTRACK_ADMIN_HOST": "0.0.0.0"]),
            // The successor would serve its console on the admin port of the first process, which other machines can reach.
            (["BOOKSTRACK_ADMIN_HOST": "0.0.0.0", "BOOKSTRACK_CONSOLE": "off"], [:]),
        ])
    func refusedSuccessor(first: [String: String], successor: [String: String]) async throws {
        let port = try await FreePort.find()
        let logged = ["BOOKSTRACK_LOG_LEVEL": "notice", "BOOKSTRACK_LOG_FORMAT": "json"]
        let settings = ["BOOKSTRACK_HTTP_PORT": "\(port)"]
        let running = proxy(settings.merging(first) { $1 }.merging(logged) { $1 })
        try await running.start()
        try await until { running.log.contains(#""message":"ready""#) }
        let refused = proxy(settings.merging(successor) { $1 }.merging(["BOOKSTRACK_TAKE_OVER": "on"]) { $1 })
        try await refused.start()
        #expect(await refused.wait() == 78)
        #expect(try await Self.isLive(ServerAddress(host: "127.0.0.1", port: port)))
        #expect(running.isAlive)
        #expect(await running.end(SIGTERM) == 0)
    }

    /// Checks liveness on a new connection.
    private static func isLive(_ address: ServerAddress) async throws -> Bool {
        let http = HTTPClient(address: address)
        do {
            let answer = try await http.send(HTTPCall(.GET, "/health/live", timeout: .seconds(10)))
            await http.shutdown()
            return answer.status == 200
        } catch {
            await http.shutdown()
            throw error
        }
    }
}
