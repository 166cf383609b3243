import BookstrackContract
import Foundation
import Observability
import ServiceKit
import SuiteMethods

/// Looks at one service: its socket, whether it answers, its version, and how it is.
struct ServiceExamination {
    let report: ServiceReport
    let directories: SuiteDirectories
    var now = Date()

    func findings() -> [Finding] {
        switch report.answer {
        case .success(let status): [readiness(status)] + [version(status)].compactMap(\.self)
        case .failure(let failure): [absence(failure)]
        }
    }

    private var subject: String { report.service.name }

    private func readiness(_ status: ReadStatus.Result) -> Finding {
        let up = TimeSpanText.text(milliseconds: now.millisecondsSince1970 - status.startedAt)
        let reasons = (status.readiness.dependencies ?? []).filter { $0.status != .ready }
            .map { "\($0.name): \($0.reason)" }.joined(separator: "; ")
        switch status.readiness.status {
        case .ready: return .ok(subject, "ready, process \(status.pid), up \(up)")
        case .degraded: return .warning(subject, "degraded: \(reasons)", advice: "it serves what it can meanwhile")
        case .unavailable: return .problem(subject, "cannot serve: \(reasons)", advice: "see its log")
        }
    }

    private func version(_ status: ReadStatus.Result) -> Finding? {
        guard status.version != SuiteVersion.text else { return nil }
        return .warning(
            subject, "runs version \(status.version), this command is \(SuiteVersion.text)",
            advice: "restart it, so that all programs are of one version")
    }

    /// Whether it is a worker beside the main one, which nothing starts by itself.
    private var isExtra: Bool { report.service.worker.map { $0 != .main } ?? false }

    private var start: String {
        guard isExtra, let worker = report.service.worker else {
            return "start it: systemctl start bookstrack.target, docker compose up -d, or the program \(subject)"
        }
        return
            "start it: systemctl start bookstrack-enrichment-worker@\(worker.text), or the program enrichment-worker with BOOKSTRACK_WORKER_NAME=\(worker.text)"
    }

    private func absence(_ failure: CommandFailure) -> Finding {
        let path = directories.socket(of: report.service)
        let start = start
        switch UnixSocketProbe.look(at: path) {
        case .absent:
            return .problem(
                subject, "does not run: there is no socket \(path)",
                advice: "\(start); if it runs, let BOOKSTRACK_RUNTIME_DIR name its directory")
        case .abandoned:
            return .problem(
                subject, "does not run: nobody listens at \(path), which an earlier run has left",
                advice: "\(start); it takes the file's place" + (isExtra ? ", or remove the file" : ""))
        case .forbidden:
            return .problem(
                subject, "this user may not connect to \(path)",
                advice: "run the command as the services' user or a member of its group")
        case .listening:
            return .problem(
                subject, failure.message,
                advice:
                    "a service closes the connection of a user it does not know: run the command as its user, or add \(getuid()) to its BOOKSTRACK_ALLOWED_UIDS; else see its log"
            )
        }
    }
}
