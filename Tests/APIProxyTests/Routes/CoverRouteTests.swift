import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("The cover route", .timeLimit(.minutes(1)))
struct CoverRouteTests {
    private static let address = "https://covers.openlibrary.org/b/id/240727-L.jpg"
    private static let path = "/images/proxy?url=https%3A%2F%2Fcovers.openlibrary.org%2Fb%2Fid%2F240727-L.jpg"

    private func name(_ size: CoverSize) throws -> CoverName { try CoverAddress(Self.address).name(size) }

    private func picture(_ bytes: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF] + (3..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    @discardableResult
    private func keep(_ content: [UInt8], _ size: CoverSize, at proxy: RunningProxy) throws -> CoverName {
        let directory = proxy.directory.appending(path: "covers")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let name = try name(size)
        try Data(content).write(to: directory.appending(path: name.description))
        return name
    }

    @Test("a stored cover is served while the worker is down and may be cached publicly")
    func kept() async throws {
        try await RunningProxy.run { proxy in
            let content = picture(300_000)
            try keep(content, .large, at: proxy)
            let answer = try await proxy.request("GET", Self.path + "&size=large")
            #expect(answer.status == 200)
            #expect(answer.body == content)
            #expect(answer["content-type"] == "image/jpeg")
            #expect(answer["content-length"] == "300000")
            #expect(answer["cache-control"] == "public, max-age=2592000, immutable")
            #expect(answer["cross-origin-resource-policy"] == "cross-origin")
            #expect(answer["x-content-type-options"] == "nosniff")
            let tag = try #require(answer["etag"])
            #expect(tag.hasPrefix("\""))
            #expect(tag.hasSuffix("\""))
            #expect(tag.count == 34)
        }
    }

    @Test("HEAD returns the same header fields without the image")
    func head() async throws {
        try await RunningProxy.run { proxy in
            try keep(picture(5_000), .medium, at: proxy)
            let whole = try await proxy.request("GET", Self.path)
            let head = try await proxy.request("HEAD", Self.path)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head["content-length"] == "5000")
            #expect(head["etag"] == whole["etag"])
            #expect(head["content-type"] == "image/jpeg")
        }
    }

    @Test("a client that has the image receives a 304, and a different image has a different entity tag")
    func notModified() async throws {
        try await RunningProxy.run { proxy in
            try keep(picture(5_000), .medium, at: proxy)
            let tag = try #require(try await proxy.request("GET", Self.path)["etag"])
            for field in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let answer = try await proxy.request("GET", Self.path, fields: ["If-None-Match: \(field)"])
                #expect(answer.status == 304, "\(field)")
                #expect(answer.body.isEmpty, "\(field)")
                #expect(answer["etag"] == tag, "\(field)")
            }
            #expect(try await proxy.request("GET", Self.path, fields: ["If-None-Match: \"x\""]).status == 200)
            try keep(picture(5_001), .medium, at: proxy)
            let other = try await proxy.request("GET", Self.path, fields: ["If-None-Match: \(tag)"])
            #expect(other.status == 200)
            #expect(other["etag"] != tag)
        }
    }

    @Test("a missing cover is fetched by the worker once and then served from the directory")
    func fetched() async throws {
        try await RunningProxy.run { proxy in
            let worker = try await FakeCoverWorker.start(for: proxy) { parameters in
                let file = try keep(picture(900), parameters.size, at: proxy)
                return .init(file: file, contentType: .jpeg, bytes: 900)
            }
            for _ in 0..<3 {
                #expect(try await proxy.request("GET", Self.path + "&size=small").body == picture(900))
            }
            #expect(worker.fetches == [.init(url: Self.address, size: .small)])
            await worker.stop()
        }
    }

    @Test(
        "when a cover that was unused for an hour is served, the worker is notified, and api-proxy does not change the file"
    )
    func uses() async throws {
        try await RunningProxy.run { proxy in
            let worker = try await FakeCoverWorker.start(for: proxy) { parameters in
                .init(file: try name(parameters.size), contentType: .jpeg, bytes: 900)
            }
            func age(_ size: CoverSize, _ seconds: TimeInterval) throws -> String {
                let path = proxy.directory.path + "/covers/\(try keep(picture(900), size, at: proxy))"
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
                return path
            }
            let old = try age(.large, 7_200)
            _ = try age(.small, 60)
            let before = try FileManager.default.attributesOfItem(atPath: old)[.modificationDate] as? Date
            for size in ["small", "large"] {
                #expect(try await proxy.request("GET", Self.path + "&size=\(size)").body == picture(900))
            }
            try await until { !worker.fetches.isEmpty }
            #expect(worker.fetches == [.init(url: Self.address, size: .large)])
            let after = try FileManager.default.attributesOfItem(atPath: old)[.modificationDate] as? Date
            #expect(before == after)
            await worker.stop()
        }
    }

    @Test("a cover evicted before it could be opened is fetched once more, but not endlessly")
    func evicted() async throws {
        try await RunningProxy.run { proxy in
            let evictions = NIOLockedValueBox(1)
            let worker = try await FakeCoverWorker.start(for: proxy) { parameters in
                let isEvicted = evictions.withLockedValue { left in
                    left -= 1
                    return left >= 0
                }
                if !isEvicted { try keep(picture(900), parameters.size, at: proxy) }
                return .init(file: try name(parameters.size), contentType: .jpeg, bytes: 900)
            }
            #expect(try await proxy.request("GET", Self.path).body == picture(900))
            #expect(worker.fetches.count == 2)
            evictions.withLockedValue { $0 = 9 }
            let answer = try await proxy.request("GET", Self.path + "&size=large")
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "2")
            #expect(worker.fetches.count == 4)
            await worker.stop()
        }
    }

    @Test("a stored file that is not an image is not served")
    func damaged() async throws {
        try await RunningProxy.run { proxy in
            try keep(Array("<html><script>".utf8), .medium, at: proxy)
            #expect(try await proxy.request("GET", Self.path).status == 503)
        }
    }

    @Test(
        "worker failures keep their codes and are not cached by clients",
        arguments: [
            ("NOT_FOUND", 404), ("PROVIDER_ERROR", 502), ("QUOTA_EXHAUSTED", 503), ("SERVICE_UNAVAILABLE", 503),
            ("PROVIDER_TIMEOUT", 504),
        ])
    func failures(code: String, status: Int) async throws {
        try await RunningProxy.run { proxy in
            let worker = try await FakeCoverWorker.start(for: proxy) { _ in
                throw RPCApplicationError(code: code, message: "no")
            }
            let answer = try await proxy.request("GET", Self.path)
            #expect(answer.status == status)
            #expect(try answer.failure.code.rawValue == code)
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["etag"] == nil)
            await worker.stop()
        }
    }

    @Test(
        "unsupported URLs and sizes are refused without calling the worker",
        arguments: [
            ("", 400, "INVALID_QUERY"), ("?url=", 400, "INVALID_QUERY"), ("?url=ftp://x/", 400, "INVALID_QUERY"),
            ("?url=http://covers.openlibrary.org/b/id/1-L.jpg", 400, "INVALID_QUERY"),
            ("?url=https://covers.openlibrary.org/b/id/1-L.jpg&size=huge", 400, "INVALID_QUERY"),
            ("?url=https://covers.openlibrary.org:8443/b/id/1-L.jpg", 400, "INVALID_QUERY"),
            ("?url=https://evil.example/1.jpg", 403, "FORBIDDEN"), ("?url=https://127.0.0.1/", 403, "FORBIDDEN"),
        ])
    func refusals(query: String, status: Int, code: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/images/proxy" + query)
            #expect(answer.status == status)
            #expect(try answer.failure.code.rawValue == code)
        }
    }

    @Test("a file name from the worker that contains a path is refused")
    func pathTricks() async throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                FetchCover.Result.self,
                from: Data(#"{"file":"../jobs.sqlite","contentType":"image/jpeg","bytes":3}"#.utf8))
        }
    }
}

/// A scripted enrichment-worker that answers requests for covers on a real Unix socket.
final class FakeCoverWorker: Sendable {
    typealias Fetch = @Sendable (FetchCover.Parameters) async throws -> FetchCover.Result

    private let server: RPCServer
    private let asked: NIOLockedValueBox<[FetchCover.Parameters]>

    /// The requested covers.
    var fetches: [FetchCover.Parameters] { asked.withLockedValue { $0 } }

    /// Listens on the path that `proxy` connects to, and returns once the proxy is connected.
    static func start(for proxy: RunningProxy, _ fetch: @escaping Fetch) async throws -> FakeCoverWorker {
        let asked = NIOLockedValueBox<[FetchCover.Parameters]>([])
        var router = RPCRouter()
        router.handle(FetchCover.self) { parameters, _ in
            asked.withLockedValue { $0.append(parameters) }
            return try await fetch(parameters)
        }
        let server = try await RPCServer.bind(
            path: SuiteSockets(directory: proxy.directory.path).path(of: .enrichmentWorker), router: router,
            allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "fake-worker") { _ in SwiftLogNoOpLogHandler() })
        try await proxy.connect(to: .enrichmentWorker)
        return FakeCoverWorker(server, asked)
    }

    private init(_ server: RPCServer, _ asked: NIOLockedValueBox<[FetchCover.Parameters]>) {
        self.server = server
        self.asked = asked
    }

    func stop() async { await server.shutdown() }
}
