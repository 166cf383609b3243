import Foundation

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
