import Foundation
import ServiceKit
import SuiteMethods

/// Examines the services and what they need, even if none of them is running. Faults that can explain others come first.
struct Diagnosis: Sendable {
    let command: CommandSettings
    var clock = ClockExamination()

    func findings() async -> [Finding] {
        let survey = await SettingsSurvey.take(command)
        let settings = survey.settings
        let directories = command.directories
        let reports = await StatusCalls(command).reports()
        let workers = reports.filter { $0.service.service == .enrichmentWorker }
        let proxy = reports.first { $0.service == .apiProxy }?.status
        let own =
            SurveyExamination(survey: survey).findings()
            + SettingsExamination(settings: settings, warnings: command.own.warnings).findings()
            + DirectoryExamination(path: directories.runtime, subject: "runtime directory").findings()
            + DirectoryExamination(path: directories.storage, subject: "data directory").findings()
            + clock.findings(database: directories.file("jobs.sqlite"))
        let services = reports.flatMap { ServiceExamination(report: $0).findings() }
        async let providers = ProviderExamination(directories: directories).findings(workers)
        async let listener = ListenerExamination(settings: settings).findings(isRunning: proxy != nil)
        return await own + services + databases
            + OpenFilesExamination(sockets: settings[.maxSockets]).findings(proxy) + providers + listener
    }

    private var databases: [Finding] {
        StorageCheck(storage: command.directories.storage, depth: .quick).soundness()
    }
}

extension Finding {
    /// The finding for a check that itself failed.
    static func problem(_ subject: String, _ error: any Error) -> Finding {
        problem(subject, CommandFailure(error).message)
    }
}

/// Findings as shown to users.
struct FindingReport {
    private static let verdictColumns = "warning".count

    let findings: [Finding]

    /// The exit status: 1 if there is a problem, otherwise 0.
    var status: ExitStatus { count(.problem) == 0 ? .success : .incomplete }

    /// The findings, each with its advice and log lines below it, then a summary. Problems come first, then warnings, so that they are not lost among
    /// the other findings.
    func text(_ style: OutputStyle) -> String {
        let subjects = findings.map { DisplayWidth.of($0.subject) }.max() ?? 0
        let indent = Self.verdictColumns + 2 + subjects + 2
        let room = max(20, style.width - indent)
        let verdicts: [Finding.Verdict] = [.problem, .warning, .ok]
        let sorted = verdicts.flatMap { verdict in findings.filter { $0.verdict == verdict } }
        let lines = sorted.flatMap { finding in
            let head = [
                style.pad(finding.verdict.rawValue, Self.verdictColumns, finding.verdict.meaning),
                DisplayWidth.pad(TerminalText.line(finding.subject), subjects),
            ].joined(separator: "  ")
            let body =
                TextWrap.lines(finding.statement, columns: room)
                + (finding.advice.map { TextWrap.lines("→ " + $0, columns: room) } ?? [])
                + (finding.log ?? []).flatMap { TextWrap.lines($0, columns: room - 2) }
                .map { style.paint("| " + $0, .faint) }
            return zip([head] + body.dropFirst().map { _ in String(repeating: " ", count: indent - 2) }, body)
                .map { $0 + "  " + $1 }
        }
        return (lines + [sum]).joined(separator: "\n") + "\n"
    }

    /// Prints the findings as text, as a JSON object with the worst verdict and all findings, or as CSV with one row per finding.
    func show(_ output: OutputOptions) throws {
        let rows = findings.map { [$0.verdict.rawValue, $0.subject, $0.statement, $0.advice ?? ""] }
        let table = TextTable(
            columns: [.init("Verdict"), .init("Subject"), .init("Statement", .prose), .init("Advice", .prose)],
            rows: rows)
        try output.show(csv: table, document: document, text: text)
    }

    var document: Document { Document(verdict: worst, findings: findings) }

    private var worst: Finding.Verdict {
        count(.problem) > 0 ? .problem : count(.warning) > 0 ? .warning : .ok
    }

    private var sum: String {
        "\(count(.ok)) ok, \(CountText.text(count(.warning), "warning")), \(CountText.text(count(.problem), "problem"))"
    }

    private func count(_ verdict: Finding.Verdict) -> Int { findings.count { $0.verdict == verdict } }

    struct Document: Encodable {
        var verdict: Finding.Verdict
        var findings: [Finding]
    }
}

extension Finding.Verdict {
    fileprivate var meaning: OutputMeaning {
        switch self {
        case .ok: .ok
        case .warning: .warning
        case .problem: .problem
        }
    }
}
