import BookstrackContract
import Foundation
import SuiteMethods

/// Formats the status of the services.
struct StatusReport {
    let reports: [ServiceReport]
    /// The current time, in milliseconds since 1970.
    let now: Int64
    var style = OutputStyle.standard

    /// All sections that have content. A service that did not answer is shown only in the first one.
    var lines: [String] {
        let sections = [services, jobs, openJobs, endedJobs, queues, providers, caches].filter { !$0.isEmpty }
        return sections.joined(separator: [""]).map(\.self)
    }

    /// Width of a label and the gap after it.
    private static let labelColumns = "Storage".count + 2

    private var host: HostFigures? { reports.lazy.compactMap { $0.status?.host }.first }
    private var workers: [(service: ServiceInstance, figures: WorkerFigures)] {
        reports.compactMap { report in report.status?.worker.map { (report.service, $0) } }
    }

    /// The heading of a worker's section; it names the worker if there are several.
    private func heading(_ text: String, _ service: ServiceInstance) -> String {
        guard workers.count > 1, let worker = service.worker else { return text }
        return "\(text) (\(worker.text))"
    }
    private var proxy: ProxyFigures? { reports.lazy.compactMap { $0.status?.proxy }.first }

    private var services: [String] {
        Self.table(reports, now: now).lines(style) + reports.flatMap(reasons)
    }

    /// A row per process.
    static func table(_ reports: [ServiceReport], now: Int64) -> TextTable {
        TextTable(
            columns: [.init("Service"), .init("State"), .init("Pid", .figure), .init("Up"), .init("Version")],
            rows: reports.map { report in
                [
                    .init(report.service.name), .init(report.state, report.meaning),
                    .init(report.status.map { "\($0.pid)" } ?? "-"),
                    .init(report.status.map { TimeSpanText.text(milliseconds: now - $0.startedAt) } ?? "-"),
                    .init(report.status?.version ?? "-"),
                ]
            })
    }

    /// Why a process is not ready, and the last log lines of its unit.
    private func reasons(_ report: ServiceReport) -> [String] {
        let reasons = report.reasons.flatMap { TextWrap.lines($0, columns: style.width) }
        let log = report.unit?.log.flatMap { TextWrap.lines($0, columns: style.width - 4) } ?? []
        return reasons.map { style.paint($0, report.meaning) } + log.map { style.paint("  | " + $0, .faint) }
    }

    private var jobs: [String] {
        guard let host else { return [] }
        let jobs = host.jobs
        let later = jobs.nextLaterAt.map { ", next retry in " + TimeSpanText.text(milliseconds: $0 - now) } ?? ""
        let workers = CountText.text(jobs.workers, "worker")
        let connections = CountText.text(jobs.sockets, "connection")
        let writes = host.storage.refusal.map { "not writable: \($0)" } ?? "writable"
        let (database, log) = (ByteCount.text(host.storage.databaseBytes), ByteCount.text(host.storage.logBytes))
        return paragraph(
            "Jobs",
            "\(jobs.pending) pending, \(jobs.processing) processing, watched by \(connections)\(later)")
            + paragraph(
                "Items",
                "\(jobs.waitingInteractive) interactive and \(jobs.waitingBulk) bulk items waiting, \(jobs.leased) in progress (\(workers))"
            )
            + paragraph("Storage", "\(writes), jobs.sqlite \(database), log \(log)")
    }

    /// Wrapped text beside its label.
    private func paragraph(_ label: String, _ text: String) -> [String] {
        let lines = TextWrap.lines(text, columns: style.width - Self.labelColumns)
        return lines.enumerated().map { place, line in
            DisplayWidth.pad(place == 0 ? label : "", Self.labelColumns) + line
        }
    }

    private var openJobs: [String] {
        table(host?.jobs.oldestOpen ?? [], "Open job", "Age") {
            TimeSpanText.roughly(milliseconds: now - $0.createdAt)
        }
    }

    private var endedJobs: [String] {
        table(host?.jobs.recentlyEnded ?? [], "Ended job", "Ended") {
            TimeSpanText.roughly(milliseconds: now - ($0.endedAt ?? now)) + " ago"
        }
    }

    private func table(
        _ jobs: [JobFigure], _ title: String, _ timeTitle: String, time: (JobFigure) -> String
    ) -> [String] {
        guard !jobs.isEmpty else { return [] }
        let rows: [[TextTable.Cell]] = jobs.map {
            [
                .init($0.jobId.text), .init($0.status.rawValue, $0.status.meaning),
                .init("\($0.processed)/\($0.total)"), .init("\($0.failed)"), .init(time($0)),
            ]
        }
        return TextTable(
            columns: [
                .init(title), .init("Status"), .init("Done", .figure), .init("Failed", .figure), .init(timeTitle),
            ], rows: rows
        ).lines(style)
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
        return TextTable(columns: [.init("Queue"), .init("Length", .figure), .init("Limit", .figure)], rows: rows)
            .lines(style)
    }

    /// For each worker, a table of its providers and one of its engines.
    private var providers: [String] {
        workers.flatMap { service, figures in
            [
                providers(figures.providers.filter { $0.model == nil }, title: heading("Provider", service)),
                providers(figures.providers.filter { $0.model != nil }, title: heading("Engine", service)),
            ]
        }.filter { !$0.isEmpty }.joined(separator: [""]).map(\.self)
    }

    /// A table of providers; engines are shown with their models.
    private func providers(_ providers: [ProviderFigure], title: String) -> [String] {
        guard let first = providers.first else { return [] }
        let model = first.model.map { _ in [TextTable.Column("Model", .name)] } ?? []
        let rows: [[TextTable.Cell]] = providers.map {
            [.init($0.name)] + ($0.model.map { [.init($0)] } ?? []) + [
                state($0), .init("\($0.requests)"), .init("\($0.inFlight)"), .init("\($0.waiting)"),
                .init($0.leftToday.map { "\($0)" } ?? "-"),
            ]
        }
        return TextTable(
            columns: [.init(title)] + model + [
                .init("State", .prose), .init("Requests", .figure), .init("In progress", .figure),
                .init("Waiting", .figure), .init("Left today", .figure),
            ], rows: rows
        ).lines(style)
    }

    /// Describes whether the provider is being called and, if not, why.
    private func state(_ provider: ProviderFigure) -> TextTable.Cell {
        if let fault = provider.fault { return .init(fault, .warning) }
        let cause = provider.refusal?.statement ?? provider.cause
        let why = cause.map { " (\($0))" } ?? ""
        switch provider.breaker {
        case .closed:
            if provider.leftToday == 0 { return .init("daily budget used up", .warning) }
            let pause = provider.pausedForMilliseconds.map { TimeSpanText.text(milliseconds: Int64($0)) }
            return pause.map { .init("paused for \($0)", .warning) } ?? .init("OK", .ok)
        case .halfOpen: return .init("being tried again" + why, .warning)
        case .open:
            let left = provider.opensForMilliseconds.map { " for " + TimeSpanText.text(milliseconds: Int64($0)) } ?? ""
            return .init("calls paused" + left + why, provider.refusal == nil ? .warning : .problem)
        }
    }

    private var caches: [String] {
        let ofWorkers = workers.map { service, figures in
            (heading("provider responses, on disk", service), figures.cache)
        }
        let caches = ofWorkers + (proxy.map { [("finished responses, in memory", $0.cache)] } ?? [])
        let rows = caches.map { name, cache in
            [
                name, ByteCount.text(cache.bytes), ByteCount.text(cache.limit), "\(cache.hits)", "\(cache.staleHits)",
                "\(cache.misses)",
            ]
        }
        guard !rows.isEmpty else { return [] }
        return TextTable(
            columns: [
                .init("Cache"), .init("Size", .figure), .init("Limit", .figure), .init("Hits", .figure),
                .init("Stale", .figure), .init("Misses", .figure),
            ], rows: rows
        ).lines(style)
    }
}

/// The status as JSON: `{"services":[{"service","worker","state","reasons","status","unit"}]}`; `worker` is a worker's name. If there is no
/// response, `status` is absent, and `unit` is present if systemd manages the service.
struct StatusDocument: Encodable {
    private struct Entry: Encodable {
        var service: ServiceName
        var worker: String?
        var state: String
        var reasons: [String]
        var status: ReadStatus.Result?
        var unit: UnitReport?
    }

    private let services: [Entry]

    init(_ reports: [ServiceReport]) {
        services = reports.map {
            Entry(
                service: $0.service.service, worker: $0.service.worker?.text, state: $0.state, reasons: $0.reasons,
                status: $0.status, unit: $0.unit)
        }
    }
}
