import Foundation
import NIOCore
import NIOPosix
import SuiteFixture
import WireClient

/// Another program that delivers messages to subscribers, installed from its Debian package.
struct PeerProcess {
    enum Kind: String, CaseIterable {
        /// nginx with `libnginx-mod-nchan`: messages in memory, subscribers on WebSockets.
        case nchan
        /// `redis-server`: each message in a stream, written to the append-only file before subscribers receive it.
        case redis

        private var executable: String { self == .nchan ? "/usr/sbin/nginx" : "/usr/bin/redis-server" }

        /// Whether it is installed.
        var isInstalled: Bool {
            let module = "/usr/lib/nginx/modules/ngx_nchan_module.so"
            let files = FileManager.default
            return files.isExecutableFile(atPath: executable) && (self == .redis || files.fileExists(atPath: module))
        }

        fileprivate func process(port: Int, in directory: String) throws -> ServiceProcess {
            let arguments: [String]
            switch self {
            case .nchan:
                let configuration = directory + "/nginx.conf"
                try Self.nginx(port: port, directory).write(toFile: configuration, atomically: true, encoding: .utf8)
                arguments = ["-p", directory, "-c", configuration]
            case .redis:
                arguments = [
                    "--port", "\(port)", "--bind", "127.0.0.1", "--dir", directory, "--save", "", "--appendonly", "yes",
                    "--appendfsync", "everysec",
                ]
            }
            return ServiceProcess(
                executable: executable, arguments: arguments, environment: [:], logPath: "\(directory)/\(rawValue).log")
        }

        private static func nginx(port: Int, _ directory: String) -> String {
            """
            load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
            daemon off; master_process off; pid \(directory)/nginx.pid; error_log \(directory)/error.log;
            events { worker_connections 4096; }
            http {
                access_log off; client_body_temp_path \(directory)/body; proxy_temp_path \(directory)/proxy;
                fastcgi_temp_path \(directory)/fastcgi; uwsgi_temp_path \(directory)/uwsgi; scgi_temp_path \(directory)/scgi;
                keepalive_requests 100000000; nchan_message_buffer_length 10;
                server {
                    listen 127.0.0.1:\(port);
                    location = /publish { nchan_publisher; nchan_channel_id $arg_job; }
                    location = /subscribe {
                        nchan_subscriber websocket; nchan_channel_id $arg_job; nchan_subscriber_first_message newest;
                    }
                }
            }
            """
        }
    }

    let kind: Kind
    let address: ServerAddress
    let process: ServiceProcess
    private let directory: String

    /// Starts the program on a free port and waits until it accepts connections.
    init(_ kind: Kind) async throws {
        self.kind = kind
        directory = "/tmp/bt-\(kind.rawValue)-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        address = ServerAddress(host: "127.0.0.1", port: try await FreePort.find())
        process = try kind.process(port: address.port, in: directory)
        try await process.start()
        try await waitUntilListening()
    }

    private func waitUntilListening() async throws {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        for _ in 0..<100 {
            if let channel = try? await bootstrap.connect(host: address.host, port: address.port).get() {
                return try await channel.close()
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ServiceProcess.Failure(description: "\(kind.rawValue) is not listening: \(process.log)")
    }

    func end() async {
        await process.end(SIGTERM)
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// A publisher's connection to a peer; ignores the responses.
// @unchecked Sendable: the variables are only used on the loop.
final class PeerPublisher: @unchecked Sendable {
    private let connection: ClientConnection
    private let kind: PeerProcess.Kind
    private var seqs: [Int]
    /// Padding that makes a frame as long as BooksTrack's.
    private static let filling = String(repeating: "x", count: 600)

    init(_ peer: PeerProcess, jobs: Int, on loop: ClientLoop) async throws {
        kind = peer.kind
        seqs = Array(repeating: 0, count: jobs)
        let descriptor = try Listener.connect(to: peer.address.port)
        connection = try await loop.submit { loop.add(descriptor) }
    }

    /// Publishes the next frame of a job.
    func publish(_ job: Int) {
        seqs[job] += 1
        let frame = #"{"type":"job_progress","version":"1.0.0","seq":\#(seqs[job]),"payload":"\#(Self.filling)"}"#
        connection.write(request(frame, job: "job\(job)").utf8)
    }

    private func request(_ frame: String, job: String) -> String {
        switch kind {
        case .nchan:
            "POST /publish?job=\(job) HTTP/1.1\r\nHost: p\r\nContent-Length: \(frame.utf8.count)\r\n\r\n\(frame)"
        case .redis:
            // Stored, then published, in one transaction.
            Self.command("MULTI") + Self.command("XADD", "s\(job)", "*", "frame", frame)
                + Self.command("PUBLISH", job, frame) + Self.command("EXEC")
        }
    }

    /// A command in the Redis protocol (redis.io/docs/latest/develop/reference/protocol-spec).
    static func command(_ words: String...) -> String {
        words.reduce("*\(words.count)\r\n") { "\($0)$\($1.utf8.count)\r\n\($1)\r\n" }
    }
}
