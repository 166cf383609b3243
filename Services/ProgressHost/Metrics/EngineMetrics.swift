import Observability

/// Metrics of the engine's command groups and of SQLite.
struct EngineMetrics: Sendable {
    private let groups: Labeled<SyncMode, Histogram>
    private let commits: Labeled<SyncMode, Histogram>
    private let commands: Histogram
    private let failures: Counter
    private let refusing: Gauge

    init(_ registry: MetricRegistry) {
        groups = registry.histograms(
            "bookstrack_engine_group_duration_seconds",
            help: "Duration of a command group, from its first statement to the end of its transaction.",
            by: SyncMode.self, .answers)
        commits = registry.histograms(
            "bookstrack_sqlite_commit_duration_seconds", help: "Duration of COMMITs that write data.",
            by: SyncMode.self, .answers)
        commands = registry.histogram(
            "bookstrack_engine_group_commands", help: "Number of commands that share a transaction.",
            .counts(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024))
        failures = registry.counter(
            "bookstrack_engine_failures_total", help: "Command groups whose transaction failed.")
        refusing = registry.gauge(
            "bookstrack_storage_refusing", help: "1 if the database cannot be written to, otherwise 0.")
        groups.showAll()
        commits.showAll()
    }

    func group(of count: Int) {
        if count > 0 { commands.observe(count: count) }
    }

    func group(synced: Bool, took time: Duration) { groups[SyncMode(isSynced: synced)].observe(time) }

    func commit(synced: Bool, took time: Duration) { commits[SyncMode(isSynced: synced)].observe(time) }

    func groupFailed() { failures.add() }

    func storage(isRefusing: Bool) { refusing.set(isRefusing ? 1 : 0) }
}

extension MetricRegistry {
    /// Declares the metrics of the engine's mailbox.
    func declare(_ engine: EngineThread) {
        gauge("bookstrack_mailbox_commands", help: "Commands waiting for the engine.") {
            Double(engine.waiting.commands)
        }
        gauge("bookstrack_mailbox_bytes", help: "Bytes of the commands waiting for the engine.") {
            Double(engine.waiting.bytes)
        }
    }
}

/// Whether a commit was synced to disk.
enum SyncMode: String, MetricLabel {
    case full, normal

    static let labelName = "synchronous"

    init(isSynced: Bool) { self = isSynced ? .full : .normal }
}
