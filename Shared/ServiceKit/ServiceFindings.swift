import BookstrackContract
package import SuiteMethods

/// Interprets, for operators, the status of a process that has answered.
package enum ServiceFindings {
    /// The finding about readiness and, if the process and this program have different versions, one about the version.
    ///
    /// - Parameters:
    ///   - name: The name of the process.
    ///   - uptime: How long the process has been running, in words; nil to omit it.
    ///   - reader: The program that asked, as the subject of a clause, such as "this command".
    package static func all(
        _ status: ReadStatus.Result, of name: String, uptime: String? = nil, readBy reader: String
    ) -> [Finding] {
        [readiness(status, name, uptime)] + version(status.version, name, reader)
    }

    private static func readiness(_ status: ReadStatus.Result, _ name: String, _ uptime: String?) -> Finding {
        let reasons = status.readiness.troubles.joined(separator: "; ")
        return switch status.readiness.status {
        case .ready: .ok(name, "ready, process \(status.pid)" + (uptime.map { ", up \($0)" } ?? ""))
        case .degraded: .warning(name, "degraded: \(reasons)", advice: "it keeps serving what it can")
        case .unavailable: .problem(name, "cannot serve: \(reasons)", advice: advice(status))
        }
    }

    /// What to do about a process that cannot serve requests.
    private static func advice(_ status: ReadStatus.Result) -> String {
        status.host?.storage.refusal == nil
            ? "see its log" : "free up disk space or repair the disk; the service then resumes without a restart"
    }

    private static func version(_ version: String, _ name: String, _ reader: String) -> [Finding] {
        guard version != SuiteVersion.text else { return [] }
        return [
            .warning(
                name, "runs version \(version); \(reader) is version \(SuiteVersion.text)",
                advice: "restart it so that all programs have the same version")
        ]
    }
}
