import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Observability
import ServiceKit
import ServiceLifecycle
import SuiteMethods
import Testing
import TestSupport
@testable import APIProxy

/// The real proxy on free ports, with a scripted progress-host behind it.
final class RunningProxy: Sendable {
    let host: FakeHost
    let port: Int
    let adminPort: Int
    let services: ProxyServices
    let directory: URL
    let tail = TailHub()
    /// The proxy's warnings and errors.
    let log = RecordingLog()
    /// The listener on the public port.
    let listener: any Channel
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    /// Starts the proxy and, if `startsHost`, its progress-host, passes the proxy to `body`, and stops both.
    static func run(
        script: FakeHost.Script = .init(), startsHost: Bool = true, _ change: (inout ProxySettings) -> Void = { _ in },
        _ body: (RunningProxy) async throws -> Void
    ) async throws {
        let proxy = try await RunningProxy(script: script, startsHost: startsHost, change)
        do {
            try await body(proxy)
        } catch {
            await proxy.stop()
            throw error
        }
        await proxy.stop()
    }

    private init(
        script: FakeHost.Script, startsHost: Bool, _ change: (inout ProxySettings) -> Void
    ) async throws {
        directory = URL(filePath: "/tmp/bt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let sockets = SuiteSockets(directory: directory.path)
        host = FakeHost(path: sockets.path(of: .progressHost), script: script)
        if startsHost { try await host.start() }
        var settings = ProxySettings(
            publicPlace: .address(host: "127.0.0.1", port: 0), adminPlace: .address(host: "127.0.0.1", port: 0))
        settings.socketLimits = SocketLimits(total: 200, perJob: 8, perAddress: 100)
        settings.rateLimits = nil
        change(&settings)
        var logger = log.logger
        logger.logLevel = .warning
        services = ProxyServices(
            settings: settings, sockets: sockets, covers: directory.path + "/covers",
            uploads: UploadDirectory(path: directory.path + "/uploads"),
            health: HealthReporter(logger: logger), tail: tail, metrics: MetricRegistry(),
            group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let listeners = Inbox<any Channel>()
        let adminPorts = Inbox<Int>()
        let all = services.all(
            onRunning: { listeners.append($0) },
            onAdminRunning: { adminPorts.append($0.localAddress?.port ?? 0) })
        let group = ServiceGroup(configuration: .init(services: all.map { .init(service: $0) }, logger: logger))
        self.group = group
        task = Task { try await group.run() }
        listener = try await listeners.take()
        port = listener.localAddress?.port ?? 0
        adminPort = try await adminPorts.take()
        if startsHost { try await connectToHost() }
    }

    /// All sockets, as if they shared one connection to progress-host.
    var sockets: LinkedSockets { LinkedSockets(services.hub.shards) }

    /// Whether any connection to progress-host, other than the one for results, is established.
    var isConnectedToHost: Bool { services.host.clients.contains(where: \.isConnected) }

    /// Waits until every connection to progress-host is established.
    func connectToHost() async throws {
        for client in services.host.clients + [services.results] {
            try await client.waitUntilConnected(within: .seconds(60))
        }
    }

    /// Waits until the proxy is connected to a worker.
    func connect(to worker: ServiceInstance) async throws {
        services.workers.look()
        let link = services.workers.links.first { $0.instance == worker }
        try await link?.client.waitUntilConnected(within: .seconds(60))
    }

    /// Stops the proxy as SIGTERM would, and returns once all its services have ended.
    func shutdown() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
    }

    private func stop() async {
        try? await shutdown()
        await host.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Sends one request on a new connection and reads the response.
    func request(
        _ method: String, _ path: String, fields: [String] = [], body: [UInt8]? = nil, port: Int? = nil,
        host: String = "localhost"
    ) async throws -> HTTPAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)", "Connection: close"] + fields
        if let body { lines.append("Content-Length: \(body.count)") }
        let connection = try await RawConnection(port: port ?? self.port)
        try await connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
        let bytes = try await connection.readToEnd()
        await connection.close()
        return try HTTPAnswer(bytes)
    }

    /// Posts JSON.
    func post(_ path: String, _ body: String, fields: [String] = []) async throws -> HTTPAnswer {
        try await request("POST", path, fields: ["Content-Type: application/json"] + fields, body: Array(body.utf8))
    }
}

extension RunningProxy {
    /// The values of a metric family by label values.
    func readings(_ name: String) -> [[String]: Double] {
        let samples = services.registry.families().filter { $0.name == name }.flatMap(\.samples)
        return Dictionary(
            uniqueKeysWithValues: samples.map { sample in
                guard case .number(let number) = sample.reading else { return (sample.labels.map(\.value), .nan) }
                return (sample.labels.map(\.value), number)
            })
    }

    /// The distribution of an unlabeled histogram.
    func distribution(_ name: String) -> Distribution? {
        let samples = services.registry.families().filter { $0.name == name }.flatMap(\.samples)
        guard case .distribution(let distribution)? = samples.first?.reading else { return nil }
        return distribution
    }

    /// The number of values in an unlabeled histogram.
    func observations(_ name: String) -> UInt64? { distribution(name)?.counts.reduce(0, +) }
}

/// A job identifier from a literal.
func job(_ text: String) throws -> JobID { try #require(JobID(text)) }

/// The client with an address.
func client(_ text: String) throws -> ClientNetwork { ClientNetwork(try #require(ClientAddress(text))) }
