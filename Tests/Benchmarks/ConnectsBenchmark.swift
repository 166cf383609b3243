import ArgumentParser
import BookstrackContract
import Glibc
import SuiteFixture
import WireClient

/// The cost of a new connection: for a WebSocket, until its token has been checked; for a single request, until its
/// response.
struct ConnectsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connects", abstract: "New connections: WebSockets with a token check, and single requests")

    @Option(help: "Number of connections of each kind.")
    var count = 20_000
    @Option(help: "Number of concurrent connections.")
    var atOnce = 64
    @Option(help: "Number of jobs that the WebSockets are spread across.")
    var jobs = 1_000

    private static let options = Suite.Options(settings: [
        "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000", "BOOKSTRACK_LOG_LEVEL": "warning",
    ])

    func run() async throws {
        try await Suite.run(Self.options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let idle = try await IdleJob.create(jobs, puppet)
            await puppet.disconnect()
            try await measure(
                "WebSockets", of: idle.map { .webSocket(path: $0.socketPath, host: suite.address) }, suite,
                target: 11_000,
                comparison: "elsewhere: limit 31 000; nchan 28 700, node 14 300; durable: redis and node 15 500")
            let limit = try await Self.limit(count, atOnce: atOnce)
            Figure(name: "    limit: the same exchange with bare system calls", value: limit.rate, unit: "/s").report()
            Figure(name: "    limit: CPU time per connection", value: limit.processor * 1_000_000, unit: "us").report()
            try await measure("single requests", of: idle.map { .state(of: $0, host: suite.address) }, suite)
        }
    }

    private func measure(
        _ name: String, of scripts: [ClientScript], _ suite: Suite, target: Double? = nil, comparison: String? = nil
    ) async throws {
        let clients = Clients(port: suite.address.port, scripts)
        defer { clients.close() }
        // Warm-up: the first connections fill caches and buffers.
        _ = try clients.run(1_000, atOnce: atOnce)
        let time = try ProcessorTime(suite)
        let rate = try clients.run(count, atOnce: atOnce)
        Figure(
            name: "\(name) per second", value: rate, unit: "/s", target: target, direction: .atLeast,
            comparison: comparison
        ).report()
        try time.report("\(name), CPU time each", per: count)
    }

    /// Connections per second that a server with no other work accepts on this machine, and its CPU time for each one, in seconds.
    private static func limit(_ count: Int, atOnce: Int) async throws -> (rate: Double, processor: Double) {
        let listener = try Listener()
        let address = ServerAddress(host: "127.0.0.1", port: listener.port)
        async let served = MachineLimits.serve(listener, count: count)
        let clients = Clients(port: listener.port, [.webSocket(path: "/ws/progress", host: address)])
        defer { clients.close() }
        return (try clients.run(count, atOnce: atOnce), try await served)
    }
}

/// What a client sends, and when it counts as served.
private struct ClientScript {
    let request: [UInt8]
    /// Sent after the 101; the client is served when it receives anything more.
    var greeting: [UInt8]?

    static func webSocket(path: String, host: ServerAddress) -> Self {
        Self(request: WebSocketReader.request(path, at: host), greeting: WebSocketReader.ready)
    }

    /// A request for a job's state, whose response ends with the connection.
    static func state(of job: IdleJob, host: ServerAddress) -> Self {
        let head = """
            GET \(APIPath.job(job.id)) HTTP/1.1\r\nHost: \(host.host):\(host.port)\r
            Authorization: Bearer \(job.token)\r\nConnection: close\r\n\r\n
            """
        return Self(request: Array(head.utf8))
    }
}

/// Clients that connect, are served, and disconnect. One thread serves them with epoll(7): with an event loop's tasks and promises, they would need
/// as much CPU time as the services.
private final class Clients {
    private struct Refusal: Error, CustomStringConvertible {
        let answer: [UInt8]

        var description: String { "not served: \(String(decoding: answer, as: UTF8.self))" }
    }

    /// A connection that is being served.
    private struct Client {
        let script: Int
        var received: [UInt8] = []
        var isUpgraded = false
    }

    private let scripts: [ClientScript]
    private let port: Int
    private var poller = Poller(count: 64)
    /// The connections that are being served, by descriptor.
    private var clients: [CInt: Client] = [:]
    private var begun = 0
    private var buffer = [UInt8](repeating: 0, count: 4_096)

    /// - Parameter port: A port on loopback.
    init(port: Int, _ scripts: [ClientScript]) {
        self.port = port
        self.scripts = scripts
    }

    func close() {
        for descriptor in clients.keys { Glibc.close(descriptor) }
        poller.close()
    }

    /// Serves `count` clients, at most `atOnce` of them concurrently, and returns how many per second. Throws if a client is not served.
    func run(_ count: Int, atOnce: Int) throws -> Double {
        let started = ContinuousClock.now
        var left = count
        for _ in 0..<min(atOnce, left) { try connect() }
        while left > 0 {
            let arrived = poller.wait(milliseconds: 5_000)
            guard !arrived.isEmpty else { throw MachineLimits.Failure("epoll_wait") }
            for descriptor in arrived {
                guard try isServed(descriptor) else { continue }
                left -= 1
                clients[descriptor] = nil
                Glibc.close(descriptor)
                if clients.count < left { try connect() }
            }
        }
        return Double(count) / (ContinuousClock.now - started).seconds
    }

    private func connect() throws {
        let descriptor = try Listener.connect(to: port)
        poller.add(descriptor)
        let script = begun % scripts.count
        begun += 1
        clients[descriptor] = Client(script: script)
        try send(scripts[script].request, descriptor)
    }

    private func send(_ bytes: [UInt8], _ descriptor: CInt) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw MachineLimits.Failure("send")
        }
    }

    /// Reads what has arrived; returns whether the client has been served.
    private func isServed(_ descriptor: CInt) throws -> Bool {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0, var client = clients[descriptor] else { throw MachineLimits.Failure("recv") }
        if client.isUpgraded, count > 0 { return true }
        client.received += buffer[..<count]
        defer { clients[descriptor] = client }
        let script = scripts[client.script]
        guard let greeting = script.greeting else {
            guard count == 0 else { return false }
            guard client.received.starts(with: "HTTP/1.1 200 ".utf8) else { throw Refusal(answer: client.received) }
            return true
        }
        guard count > 0, client.received.starts(with: "HTTP/1.1 101 ".utf8) else {
            throw Refusal(answer: client.received)
        }
        guard client.received.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return false }
        client.isUpgraded = true
        try send(greeting, descriptor)
        return false
    }
}
