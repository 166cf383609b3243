import Foundation
import Glibc
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods

/// The Unix socket of one service, for single calls.
struct ServiceSocket {
    private static let connectLimit = Duration.seconds(2)

    let service: ServiceInstance
    /// Path of the socket.
    let path: String

    /// The socket of a service in these directories.
    init(_ service: ServiceInstance, in directories: SuiteDirectories) {
        self.service = service
        path = directories.socket(of: service)
    }

    /// Connects, makes one call, and disconnects. Throws `ServiceFailure` if the call fails.
    func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) async throws(ServiceFailure) -> Method.Result {
        switch UnixSocketProbe.look(at: path) {
        case .listening: break
        case .absent: throw ServiceFailure(service, at: path, .absent)
        case .abandoned: throw ServiceFailure(service, at: path, .abandoned)
        case .forbidden: throw ServiceFailure(service, at: path, .forbidden)
        }
        let quiet = Logger(label: "bookstrack") { _ in SwiftLogNoOpLogHandler() }
        let client = RPCClient(
            path: path, router: RPCRouter(), group: MultiThreadedEventLoopGroup.singleton, logger: quiet,
            pingInterval: nil)
        let running = Task { await client.run() }
        defer { running.cancel() }
        do throws(RPCError) {
            try await client.waitUntilConnected(within: Self.connectLimit)
            return try await client.call(method, parameters)
        } catch {
            let process = UnixSocketProbe.listener(at: path).flatMap { ProcessState(pid: $0) }
            throw ServiceFailure(service, at: path, error, process: process)
        }
    }
}

/// Why a call to a service's socket failed.
struct ServiceFailure: Error, Equatable, CustomStringConvertible {
    enum Reason: Equatable {
        /// There is no socket.
        case absent
        /// The socket's file exists, but nothing is listening.
        case abandoned
        /// The user does not have permission to connect to the socket.
        case forbidden
        /// A process is listening but does not answer in time, for example because it is stopped or overloaded.
        case silent(ProcessState?)
        /// The connection failed or ended before an answer arrived, or the answer was invalid.
        case closed(String)
        /// The service answered with an error.
        case refused(String)
    }

    let service: ServiceInstance
    /// Path of the socket.
    let path: String
    let reason: Reason

    init(_ service: ServiceInstance, at path: String, _ reason: Reason) {
        self.service = service
        self.path = path
        self.reason = reason
    }

    /// The failure of a call to a socket at which a process is listening.
    init(_ service: ServiceInstance, at path: String, _ error: RPCError, process: ProcessState?) {
        let reason: Reason =
            switch error.kind {
            case .remote: .refused("\(error)")
            case _ where process?.isStopped == true: .silent(process)
            case .deadlineExceeded, .notConnected, .overloaded, .cancelled: .silent(process)
            case .connectionLost, .frameTooLarge, .protocolViolation: .closed("\(error)")
            }
        self.init(service, at: path, reason)
    }

    var description: String {
        switch reason {
        case .absent: missing("there is no such socket")
        case .abandoned: missing("nothing is listening there")
        case .forbidden: "\(service.name) cannot be queried at \(path): you do not have permission to connect"
        case .silent(let process):
            "\(service.name) does not answer at \(path)\(process.map { ": \($0)" } ?? " in time")"
        case .closed(let why): "\(service.name) does not answer at \(path) (\(why))"
        case .refused(let why): "\(service.name) returned an error (\(why)); see its log"
        }
    }

    private func missing(_ why: String) -> String {
        "\(service.name) does not answer at \(path) (\(why)); start it, or point BOOKSTRACK_RUNTIME_DIR at its directory"
    }
}

/// A process's state as reported by the kernel (proc_pid_stat(5)).
struct ProcessState: Equatable, CustomStringConvertible {
    let pid: Int32
    /// The letter for the process's state: R, S, D, T, t, Z and others.
    let letter: Character

    init(pid: Int32, letter: Character) {
        self.pid = pid
        self.letter = letter
    }

    /// Nil if the state cannot be read, for example because the process has ended or belongs to another PID namespace.
    init?(pid: Int32) {
        // The name in parentheses may itself contain parentheses.
        guard pid > 0, let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")"), let letter = text[end...].dropFirst(2).first
        else { return nil }
        self.init(pid: pid, letter: letter)
    }

    /// Whether the process was stopped by a signal (SIGSTOP, SIGTSTP) or a debugger.
    var isStopped: Bool { letter == "T" || letter == "t" }

    /// Whether the process is waiting uninterruptibly in the kernel, nearly always for a disk.
    var waitsForDisk: Bool { letter == "D" }

    var description: String {
        if isStopped { return "process \(pid) is stopped" }
        if waitsForDisk { return "process \(pid) is waiting for a disk" }
        return "process \(pid) is running but not responding"
    }
}

/// The state of a Unix socket's path, found by connecting (unix(7)).
enum UnixSocketProbe {
    enum Outcome: Equatable {
        case absent
        /// The file exists, but nothing is listening.
        case abandoned
        case forbidden
        case listening
    }

    /// The process that listens at a path, as recorded by the kernel (unix(7), `SO_PEERCRED`); nil if it cannot be determined.
    static func listener(at path: String) -> Int32? {
        var process: Int32?
        _ = connect(to: path) { descriptor in
            var credentials = (pid: Int32(0), user: UInt32(0), group: UInt32(0))
            var size = socklen_t(MemoryLayout.size(ofValue: credentials))
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, credentials.pid > 0 {
                process = credentials.pid
            }
        }
        return process
    }

    /// Probes a path without blocking. A listener with a full backlog, such as a service that hangs, still counts as a listener.
    static func look(at path: String) -> Outcome { connect(to: path) { _ in } }

    private static func connect(to path: String, then use: (Int32) -> Void) -> Outcome {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return .forbidden }
        defer { close(descriptor) }
        guard let address = UnixSocketAddress(path) else { return .absent }
        let result = address.pass { Glibc.connect(descriptor, $0, $1) }
        guard result != 0 else {
            use(descriptor)
            return .listening
        }
        switch errno {
        case ENOENT, ENOTDIR: return .absent
        case EACCES, EPERM: return .forbidden
        case EAGAIN: return .listening
        default: return .abandoned
        }
    }
}
