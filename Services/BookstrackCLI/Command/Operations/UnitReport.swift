import Foundation
import ServiceKit
import Subprocess
import SuiteMethods

/// The systemd unit of a service that does not answer.
struct UnitReport: Encodable, Equatable, Sendable {
    /// The name of the unit, for example "bookstrack-progress-host.service".
    var unit: String
    /// The state of the unit (`ActiveState`): "failed", "inactive", "activating", "active", and so on.
    var state: String
    /// How the last process ended, in words: "exit status 78 (bad setting)"; nil if none has ended, or the last one ended as it should.
    var ending: String?
    /// Exit status of the last process; nil if a signal ended it, or no process has ended.
    var exitStatus: Int?
    /// The last log lines of the unit, oldest first.
    var log: [String]

    /// The state, as the rest of a sentence that begins with the unit's name.
    var sentence: String {
        let state =
            switch state {
            case "failed": "has failed"
            case "inactive": "is stopped"
            case "activating": "is being started"
            case "deactivating": "is being stopped"
            case "active": "is running"
            default: "is \(state)"
            }
        return ending.map { "\(state): \($0)" } ?? state
    }

    /// Whether the process ended because a setting or an option is invalid, so a restart does not help.
    var hasBadSetting: Bool {
        exitStatus == Int(ServiceKit.ExitCode.configuration.rawValue)
            || exitStatus == Int(ServiceKit.ExitCode.usage.rawValue)
    }
}

/// Reads the state of the services' units.
struct SystemdManager: Sendable {
    private static let lines = 5
    /// Directory that exists only if systemd is the running service manager (sd_booted(3)).
    private static let mark = "/run/systemd/system"

    /// The machine's manager; nil if systemd is not running.
    static var standard: SystemdManager? {
        FileManager.default.fileExists(atPath: mark) ? SystemdManager(run: output) : nil
    }

    /// Runs a program; returns its standard output, or nil if it fails or takes too long.
    let run: @Sendable (_ program: String, _ arguments: [String]) async -> String?

    /// The report on a service's unit; nil if there is no such unit, or systemd does not answer.
    func report(of service: ServiceInstance) async -> UnitReport? {
        let unit = Self.unit(of: service)
        let names = ["LoadState", "ActiveState", "Result", "ExecMainCode", "ExecMainStatus"]
        guard let text = await run("systemctl", ["show", unit, "--property", names.joined(separator: ",")]) else {
            return nil
        }
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        guard values["LoadState"] == "loaded", let state = values["ActiveState"] else { return nil }
        let arguments = ["--unit", unit, "--lines", "\(Self.lines)", "--output", "cat", "--no-pager", "--quiet"]
        let log = await run("journalctl", arguments) ?? ""
        return UnitReport(
            unit: unit, state: state, ending: Self.ending(values),
            exitStatus: values["ExecMainCode"] == Self.exited ? values["ExecMainStatus"].flatMap { Int($0) } : nil,
            log: log.split(separator: "\n").map { TerminalText.line(String($0)) })
    }

    static func unit(of service: ServiceInstance) -> String {
        guard let worker = service.worker, worker != .main else { return "bookstrack-\(service.name).service" }
        return "bookstrack-\(service.service.rawValue)@\(worker.text).service"
    }

    /// The value of `ExecMainCode` for a process that exited by itself: `CLD_EXITED` of waitid(2).
    private static let exited = "1"

    /// How the last process ended, in words; nil if there is nothing to say. `Result` may be more specific than the status (systemd.service(5)).
    private static func ending(_ values: [String: String]) -> String? {
        let status = values["ExecMainStatus"].flatMap { Int32($0) } ?? 0
        switch values["Result"] {
        case "watchdog": return "it did not respond, and the watchdog killed it"
        case "oom-kill": return "killed because the machine ran out of memory"
        case "timeout": return "it did not start or stop in time"
        case "start-limit-hit": return "it failed too often; " + (code(values, status) ?? "systemd gave up")
        default: return code(values, status)
        }
    }

    private static func code(_ values: [String: String], _ status: Int32) -> String? {
        switch values["ExecMainCode"] {
        case exited:
            let meaning = ServiceKit.ExitCode(rawValue: status)?.meaning
            return status == 0 ? nil : "exit status \(status)" + (meaning.map { " (\($0))" } ?? "")
        case "2", "3": return "killed by signal \(status)"
        default: return nil
        }
    }

    private static let limit = Duration.seconds(3)

    private static func output(of program: String, _ arguments: [String]) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let record = try? await Subprocess.run(
                    .name(program), arguments: Arguments(arguments), output: .string(limit: 1 << 20), error: .discarded)
                guard let record, record.terminationStatus.isSuccess else { return nil }
                return record.standardOutput
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
