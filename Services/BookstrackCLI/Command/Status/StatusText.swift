import BookstrackContract
import Foundation
import SuiteMethods

/// Turns what the services said into text.
struct StatusText {
    let reports: [ServiceReport]
    /// Milliseconds since 1970.
    let now: Int64
    /// Columns there are.
    let width: Int

    /// All sections; those of services that did not answer are left out.
    var lines: [String] {
        let sections = [services, jobs, openJobs, endedJobs, queues, providers, caches].filter { !$0.isEmpty }
        return sections.joined(separator: [""]).map { DisplayWidth.fit($0, width) }
    }

    /// Columns of a label and the gap behind it.
    private static let labelColumns = "Storage".count + 2

    private var host: HostFigures? { reports.lazy.compactMap { $0.status?.host }.first }
    private var workers: [(service: ServiceInstance, figures: WorkerFigures)] {
        reports.compactMap { report in report.status?.worker.map { (report.service, $0) } }
    }

    /// A heading for one worker's part; it is named where there are several.
    private func heading(_ text: String, _ service: ServiceInstance) -> String {
        guard workers.count > 1, let worker = service.worker else { return text }
        return "\(text) (\(worker.text))"
    }
    private var proxy: ProxyFigures? { reports.lazy.compactMap { $0.status?.proxy }.first }

    private var services: [String] {
        let rows = reports.map { report in
            [
                report.service.name, report.state, report.status.map { "\($0.pid)" } ?? "-",
                report.status.map { TimeSpanText.text(milliseconds: now - $0.startedAt) } ?? "-",
                report.status?.version ?? "-",
            ]
        }
        let table = TextTable(header: ["Service", "State", "Pid", "Up", "Version"], rows: rows).lines(width: width)
        return table + reports.flatMap(\.reasons).flatMap { TextWrap.lines($0, columns: width) }
    }

    private var jobs: [String] {
        guard let host else { return [] }
        let jobs = host.jobs
        let later = jobs.nextLaterAt.map { ", next retry in " + TimeSpanText.text(milliseconds: $0 - now) } ?? ""
        let workers = jobs.workers == 1 ? "1 worker" : "\(jobs.workers) workers"
        let writes = host.storage.refusal.map { "no writes: \($0)" } ?? "takes writes"
        let (database, log) = (ByteCount.text(host.storage.databaseBytes), ByteCount.text(host.storage.logBytes))
        return paragraph(
            "Jobs",
            "\(jobs.pending) pending, \(jobs.processing) processing, watched by \(jobs.sockets) sockets\(later)")
            + paragraph(
                "Items",
                "\(jobs.waitingInteractive) interactive and \(jobs.waitingBulk) bulk wait, \(jobs.leased) with \(workers)"
            )
            + paragraph("Storage", "\(writes), jobs.sqlite \(database), log \(log)")
    }

    /// A text beside its label.
    private func paragraph(_ label: String, _ text: String) -> [String] {
        let lines = TextWrap.lines(text, columns: width - Self.labelColumns)
        return lines.enumerated().map { place, line in
            DisplayWidth.pad(place == 0 ? label : "", Self.labelColumns) + line
        }
    }

    private var openJobs: [String] {
        table(host?.jobs.oldestOpen ?? [], title: "Open job") { TimeSpanText.text(milliseconds: now - $0.createdAt) }
    }

    private var endedJobs: [String] {
        table(host?.jobs.recentlyEnded ?? [], title: "Ended job") {
            TimeSpanText.text(milliseconds: now - ($0.endedAt ?? now)) + " ago"
        }
    }

    private func table(_ jobs: [JobFigure], title: String, time: (JobFigure) -> String) -> [String] {
        guard !jobs.isEmpty else { return [] }
        let rows = jobs.map {
            [
                $0.jobId.text, $0.status.rawValue, "\($0.processed)", "\($0.total)", "\($0.failed)", time($0),
            ]
        }
        var table = TextTable(header: [title, "Status", "Done", "Of", "Failed", "Time"], rows: rows)
        table.figures = ["Done", "Of", "Failed"]
        return table.lines(width: width)
    }

    private var queues: [String] {
        let ofWorkers = workers.flatMap { service, figures in
            [("\(service.name): items", figures.held), ("\(service.name): outbox", figures.outbox)]
        }
        let queues =
            (host.map { [("progress-host: commands", $0.mailbox)] } ?? []) + ofWorkers
            + (proxy.map { [("api-proxy: sockets", $0.sockets)] } ?? [])
        let rows = queues.map { [$0.0, "\($0.1.length)", "\($0.1.limit)"] }
        guard !rows.isEmpty else { return [] }
        var table = TextTable(header: ["Queue", "Length", "Limit"], rows: rows)
        table.figures = ["Length", "Limit"]
        return table.lines(width: width)
    }

    /// A table of each worker.
    private var providers: [String] {
        workers.filter { !$0.figures.providers.isEmpty }.map { service, figures in
            providers(of: figures, title: heading("Provider", service))
        }.joined(separator: [""]).map(\.self)
    }

    private func providers(of worker: WorkerFigures, title: String) -> [String] {
        let rows = worker.providers.map {
            [
                $0.name, breaker($0), "\($0.requests)", "\($0.inFlight)", "\($0.waiting)",
                $0.leftToday.map { "\($0)" } ?? "-",
            ]
        }
        var table = TextTable(
            header: [title, "Breaker", "Requests", "Under way", "Waiting", "Left today"], rows: rows)
        table.figures = ["Requests", "Under way", "Waiting", "Left today"]
        return table.lines(width: width)
    }

    private func breaker(_ provider: ProviderFigure) -> String {
        let cause = provider.cause.map { " (\($0))" } ?? ""
        switch provider.breaker {
        case .closed:
            let pause = provider.pausedForMilliseconds.map { TimeSpanText.text(milliseconds: Int64($0)) }
            return pause.map { "closed, pause for \($0)" } ?? "closed"
        case .halfOpen: return "half open" + cause
        case .open:
            let left = provider.opensForMilliseconds.map { " for " + TimeSpanText.text(milliseconds: Int64($0)) } ?? ""
            return "open" + left + cause
        }
    }

    private var caches: [String] {
        let ofWorkers = workers.map { service, figures in
            (heading("providers' answers, on disk", service), figures.cache)
        }
        let caches = ofWorkers + (proxy.map { [("finished answers, in memory", $0.cache)] } ?? [])
        let rows = caches.map { name, cache in
            [
                name, ByteCount.text(cache.bytes), ByteCount.text(cache.limit), "\(cache.hits)", "\(cache.staleHits)",
                "\(cache.misses)",
            ]
        }
        guard !rows.isEmpty else { return [] }
        var table = TextTable(header: ["Cache", "Size", "Limit", "Hits", "Stale", "Misses"], rows: rows)
        table.figures = ["Size", "Limit", "Hits", "Stale", "Misses"]
        return table.lines(width: width)
    }
}
