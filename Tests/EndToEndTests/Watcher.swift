import BookstrackContract
import Foundation
import NIOCore
import NIOPosix
import SuiteFixture
import WireClient

/// A client that follows a job as documented: it sends `ready`, reconnects with `since=`, and records everything that
/// it receives.
struct Watcher {
    /// One connection, from its upgrade to its close.
    struct Connection {
        var frames: [ProgressFrame] = []
        var since: Int?
        var closeCode: UInt16?
    }

    let suite: Suite
    private let jobId: JobID
    /// Path of the socket, including the token.
    private let path: String
    /// Whether the client closes the connection after the terminal frame; the server waits for this at the end of
    /// imports and scans (websocket.md "Connection lifetime").
    private let closesAtEnd: Bool
    /// The number of frames at the start of a first connection that describe the current state and may skip earlier
    /// events.
    private let framesOfState: Int
    private(set) var connections: [Connection] = []

    init(_ suite: Suite, _ job: StartedJob) { self.init(suite, job.jobId, token: job.token) }

    init(_ suite: Suite, _ job: StartedImport) {
        self.init(suite, job.jobId, token: job.token, closesAtEnd: true)
    }

    init(_ suite: Suite, _ job: StartedScan) {
        self.init(suite, job.jobId, token: job.token, closesAtEnd: true)
    }

    init(_ suite: Suite, _ job: StartedBatchScan) {
        // job_started, batch-init, and the newest frames about photos and books.
        self.init(suite, job.jobId, token: job.token, closesAtEnd: true, framesOfState: 4)
    }

    init(_ suite: Suite, _ job: StartedImport.Enrichment) { self.init(suite, job.jobId, token: job.token) }

    private init(
        _ suite: Suite, _ jobId: JobID, token: String, closesAtEnd: Bool = false, framesOfState: Int = 2
    ) {
        self.closesAtEnd = closesAtEnd
        self.framesOfState = framesOfState
        self.suite = suite
        self.jobId = jobId
        path = "\(APIPath.websocket(jobId))&token=\(token)"
    }

    /// Every job event of every connection, in the order of arrival.
    var events: [ProgressFrame] { connections.flatMap(\.frames).filter(\.isEvent) }

    /// The terminal frames; there must be exactly one.
    var endings: [JobEnding] { events.compactMap(\.ending) }

    /// Watches until a terminal frame has arrived and the connection is closed; throws after `limit`.
    mutating func watch(within limit: Duration = .seconds(180)) async throws {
        let deadline = ContinuousClock.now + limit
        while endings.isEmpty {
            guard ContinuousClock.now < deadline else {
                throw ServiceProcess.Failure(description: "job \(jobId) did not end within \(limit)")
            }
            do {
                try await connectOnce(until: deadline)
            } catch let refusal as ClientFailure where refusal.mayPass {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private mutating func connectOnce(until deadline: ContinuousClock.Instant) async throws {
        let since = events.map(\.seq).max()
        let socket = try await ProgressSocket.connect(
            to: suite.address, path: path + (since.map { "&since=\($0)" } ?? ""))
        let cutter = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            await socket.cut()
        }
        defer { cutter.cancel() }
        try? await socket.send(text: #"{"type":"ready"}"#)
        var connection = Connection(since: since)
        for await event in socket.events {
            if case .closed(let code) = event.kind { connection.closeCode = code }
            guard let message = event.message else { continue }
            let frame = try ProgressFrame(message)
            connection.frames.append(frame)
            if closesAtEnd, frame.ending != nil { try? await socket.close() }
        }
        connections.append(connection)
    }

    /// The faults in the numbering, as text.
    var numberingFaults: [String] {
        var faults: [String] = []
        for (number, connection) in connections.enumerated() {
            let events = connection.frames.filter(\.isEvent).map(\.seq)
            var last = connection.since
            for (place, seq) in events.enumerated() {
                // A first connection starts with the frames that describe the current state, and has no gaps after them.
                let mayJump = connection.since == nil && place < framesOfState
                if let last, mayJump ? seq <= last : seq != last + 1 {
                    faults.append("connection \(number): \(seq) after \(last)")
                }
                last = seq
            }
        }
        return faults
    }
}

extension ClientFailure {
    /// Whether a retry may succeed because api-proxy or progress-host is starting.
    var mayPass: Bool {
        if case .upgradeRefused(let answer) = self { return answer.status == 503 }
        return true
    }
}

extension ProgressFrame {
    /// Whether the frame is a numbered job event (websocket.md "Job events").
    var isEvent: Bool {
        switch content {
        case .started, .complete, .failed, .photos, .photosCancelled, .otherEvent: true
        case .progress(let payload): payload.keepAlive != true
        case .reconnected, .ping, .other: false
        }
    }
}

/// A client that requests a WebSocket or an event stream, and then neither reads nor writes.
struct StalledPeer {
    private let channel: any Channel

    init(path: String, at address: ServerAddress) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .connect(host: address.host, port: address.port).get()
        let lines = [
            "GET \(path) HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
        ]
        try await channel.writeAndFlush(ByteBuffer(string: lines.joined(separator: "\r\n")))
    }

    func leave() async { try? await channel.close() }
}
