import Foundation
import JSONRPC
import SuiteMethods

/// Why a service did not answer over its socket.
struct ServiceFailure: Error, Equatable, CustomStringConvertible {
    enum Reason: Equatable {
        /// There is no socket.
        case absent
        /// The socket's file is there, but nothing listens.
        case abandoned
        /// The user may not open the socket's file.
        case forbidden
        /// The process accepts connections and does not answer: it is stopped, hangs, or has too much to do.
        case silent(ProcessState?)
        /// The service closed the connection before it answered.
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

    /// After an attempt to make a call on a socket that something listens on.
    init(_ service: ServiceInstance, at path: String, _ error: RPCError, process: ProcessState?) {
        let reason: Reason =
            switch error.kind {
            case .remote: .refused("\(error)")
            case _ where process?.isStopped == true: .silent(process)
            case .deadlineExceeded, .overloaded, .cancelled: .silent(process)
            case .connectionLost, .notConnected, .frameTooLarge, .protocolViolation: .closed("\(error)")
            }
        self.init(service, at: path, reason)
    }

    var description: String {
        switch reason {
        case .absent: missing("there is no such socket")
        case .abandoned: missing("nothing is listening there")
        case .forbidden: "\(service.name) cannot be asked at \(path): this user may not connect"
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

/// What the kernel does with a process at the moment (proc_pid_stat(5)).
struct ProcessState: Equatable, CustomStringConvertible {
    let pid: Int32
    /// The letter of its state: R, S, D, T, t, Z and others.
    let letter: Character

    init(pid: Int32, letter: Character) {
        self.pid = pid
        self.letter = letter
    }

    /// Nil for a process that is not there, or that belongs to another PID namespace.
    init?(pid: Int32) {
        // The name in parentheses may contain anything, also parentheses.
        guard pid > 0, let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")"), let letter = text[end...].dropFirst(2).first
        else { return nil }
        self.init(pid: pid, letter: letter)
    }

    /// By a signal (SIGSTOP, SIGTSTP) or a debugger.
    var isStopped: Bool { letter == "T" || letter == "t" }

    /// Waits for the kernel in a way that no signal interrupts, nearly always for a disk.
    var waitsForDisk: Bool { letter == "D" }

    var description: String {
        if isStopped { return "process \(pid) is stopped" }
        if waitsForDisk { return "process \(pid) is waiting for a disk" }
        return "process \(pid) is running but not responding"
    }
}
