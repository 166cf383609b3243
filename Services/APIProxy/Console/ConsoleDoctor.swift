import BookstrackContract
import ServiceKit
import SuiteMethods

// Diagnoses problems and suggests fixes (console.md "Doctor"). `bookstrack doctor` examines more, and also works when no service is running.

extension ConsoleReading {
    /// All findings, problems first.
    func doctor() async -> [Finding] {
        async let overview = overview()
        async let settings = settings()
        let (suite, parts) = await (overview, settings)
        var findings = suite.services.flatMap(Self.findings) + Self.disk(suite.disk)
        findings += await providers(of: suite)
        // A process also reports settings that only other processes use.
        let readers = Dictionary(
            Settings.declared.map { ($0.name, $0.readers) }, uniquingKeysWith: { first, _ in first })
        let used = parts.flatMap { part in
            part.settings.filter { setting in
                readers[setting.name]?.contains { part.name.hasPrefix($0.rawValue) } ?? false
            }
        }
        findings += SettingsExamination(settings: Settings(reported: used), warnings: []).findings()
        let order: [Finding.Verdict] = [.problem, .warning, .ok]
        return order.flatMap { verdict in findings.filter { $0.verdict == verdict } }
    }

    private static func findings(_ service: Service) -> [Finding] {
        guard let status = service.status else {
            return [
                .problem(
                    service.name, service.failure ?? "does not answer",
                    advice:
                        "start it: systemctl start bookstrack.target, or docker compose up -d; if it is running, see its log"
                )
            ]
        }
        return ServiceFindings.all(status, of: service.name, readBy: ServiceName.apiProxy.rawValue)
    }

    private static func disk(_ disk: Disk?) -> [Finding] {
        guard let disk else { return [] }
        let share = Double(disk.freeBytes) / Double(max(1, disk.totalBytes))
        let statement = "\(Int(share * 100)) % of the file system is free"
        return [
            share < 0.05 || disk.freeBytes < 1 << 30
                ? .warning(
                    "data directory", statement, advice: "free up disk space; new jobs are refused when it runs out")
                : .ok("data directory", statement)
        ]
    }

    private func providers(of suite: Overview) async -> [Finding] {
        let figures = suite.services.flatMap { $0.status?.worker?.providers ?? [] }
        do {
            return ProviderFindings.all(try await probe().providers, figures)
        } catch {
            return [
                .warning("providers", "not checked: enrichment-worker, which contacts the providers, does not answer")
            ]
        }
    }
}
