import BookstrackClient
import BookstrackContract
import Foundation
import Observability
import ServiceKit
import SuiteMethods

/// Examines one service: its readiness and its version or, if it does not answer, its socket and its systemd unit.
struct ServiceExamination {
    let report: ServiceReport
    var now = Date()

    func findings() -> [Finding] {
        switch report.answer {
        case .success(let status):
            ServiceFindings.all(
                status, of: subject,
                uptime: TimeSpanText.text(milliseconds: now.millisecondsSince1970 - status.startedAt),
                readBy: "this command")
        case .failure(let failure): [absence(failure)]
        }
    }

    private var subject: String { report.service.name }

    /// Whether the service is an additional worker.
    private var isExtra: Bool { report.service.worker.map { $0 != .main } ?? false }

    private var start: String {
        guard isExtra, let worker = report.service.worker else {
            return "start it: systemctl start bookstrack.target, docker compose up -d, or the program \(subject)"
        }
        return "start it: systemctl start bookstrack-enrichment-worker@\(worker.text), "
            + "or the program enrichment-worker with BOOKSTRACK_WORKER_NAME=\(worker.text)"
    }

    private func absence(_ failure: ServiceFailure) -> Finding {
        let path = failure.path
        var finding: Finding =
            switch failure.reason {
            case .absent:
                .problem(
                    subject, "is not running: there is no socket \(path)",
                    advice: "\(start); if it is running, point BOOKSTRACK_RUNTIME_DIR at its directory")
            case .abandoned:
                .problem(
                    subject, "is not running: nothing is listening on \(path), which an earlier run left behind",
                    advice: "\(start); it replaces the file"
                        + (isExtra ? "; if you no longer need this worker, delete the file" : ""))
            case .forbidden:
                .problem(
                    subject, "you do not have permission to connect to \(path)",
                    advice: "run the command as root, as the services' user or as a member of its group")
            case .silent(let process): .problem(subject, failure.description, advice: advice(process))
            case .closed:
                .problem(
                    subject, failure.description,
                    advice: "a service closes connections from users it does not allow: run the command as the "
                        + "service's user, or add \(getuid()) to its BOOKSTRACK_ALLOWED_UIDS; otherwise see its log"
                )
            case .refused: .problem(subject, failure.description, advice: "see its log")
            }
        if let unit = report.unit { add(unit, to: &finding) }
        return finding
    }

    /// The advice for a process that is listening but does not answer.
    private func advice(_ process: ProcessState?) -> String {
        let restart = report.unit.map { "systemctl restart \($0.unit)" } ?? "restart it"
        guard let process else { return "it hangs or is overloaded: see its log, or \(restart)" }
        if process.isStopped { return "resume it with: kill -CONT \(process.pid); or \(restart)" }
        if process.waitsForDisk {
            return "check whether the disk of its data directory responds; until it does, the process cannot be killed"
        }
        return
            "it hangs or is overloaded: see its log; under systemd the watchdog restarts it after 30 s; otherwise \(restart)"
    }

    /// Adds what systemd reports about the unit, and replaces the advice if the report explains why the service is not running.
    private func add(_ unit: UnitReport, to finding: inout Finding) {
        finding.statement += "; \(unit.unit) \(unit.sentence)"
        if !unit.log.isEmpty { finding.log = unit.log }
        if unit.hasBadSetting {
            finding.advice =
                "correct the setting named in its log (/etc/bookstrack/bookstrack.env or a drop-in of the unit), then: systemctl restart \(unit.unit)"
        } else if unit.state == "failed" {
            finding.advice =
                "see its log, then: systemctl reset-failed \(unit.unit); systemctl start bookstrack.target"
        } else if unit.state == "inactive" {
            finding.advice = "systemctl start bookstrack.target"
        }
    }
}

/// Requests `/health` from the public port.
struct ListenerExamination: Sendable {
    private static let subject = "public port"
    private static let limit = Duration.seconds(3)

    let settings: Settings

    func findings(isRunning: Bool) async -> [Finding] {
        guard
            let address = try? ServerAddress(host: Self.reachable(settings[.httpHost]), port: settings[.httpPort])
        else { return [] }
        let answer: Result<ClientAnswer, BookstrackError>
        do throws(TransportFailure) {
            let request = ClientRequest("GET", "/health", timeout: Self.limit)
            answer = .success(try await NetworkTransport(baseURL: address.url).answer(to: request))
        } catch {
            answer = .failure(BookstrackError(error))
        }
        return finding(answer, address, isRunning).map { [$0] } ?? []
    }

    private func finding(
        _ answer: Result<ClientAnswer, BookstrackError>, _ address: ServerAddress, _ isRunning: Bool
    ) -> Finding? {
        switch (answer, isRunning) {
        case (.success(let answer), true) where answer.status == 200: .ok(Self.subject, "\(address)/health answers")
        case (.success(let answer), true):
            .problem(
                Self.subject, "\(address)/health responds with status \(answer.status)",
                advice: "see api-proxy's log")
        case (.success, false):
            .problem(
                Self.subject, "something answers at \(address), but it could not be verified that it is api-proxy",
                advice:
                    "run the command as the services' user; if another program uses the port, set BOOKSTRACK_HTTP_PORT to a free one"
            )
        case (.failure(let failure), true):
            .problem(
                Self.subject, failure.message,
                advice:
                    "check whether api-proxy was started with a different BOOKSTRACK_HTTP_HOST or BOOKSTRACK_HTTP_PORT")
        case (.failure, false): nil
        }
    }

    /// The address at which a listener can be reached; for a listener on all addresses, this is the loopback address.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
