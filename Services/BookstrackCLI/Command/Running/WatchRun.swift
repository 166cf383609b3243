import BookstrackContract
import ProgressClient

/// Shows a job's progress until its end.
struct WatchRun {
    let address: ServerAddress
    let job: JobID
    let token: String
    let output: ProgressOutput

    /// What Ctrl-C says; `over` are the jobs before, whose results nobody has seen yet.
    static func leaving(_ job: JobID, after over: [JobID] = []) -> String {
        (over.map { "Job \($0) is over. Read its results with: bookstrack results \($0)" }
            + ["Job \(job) goes on without you. Watch it again with: bookstrack watch \(job)"]).joined(separator: "\n")
    }

    /// Watches on top of the counts of the jobs before.
    func run(_ count: inout ProgressCount) async throws -> JobEnding {
        let before = count
        var current = count
        defer { count = current }
        let watcher = JobWatcher(address: address, job: job, token: token)
        return try await watcher.watch { update in
            switch update {
            case .interrupted(let reason, let delay):
                output.note("\(reason); connecting again in \(delay.components.seconds) s.")
            case .frame(let bytes, let frame):
                output.show(frame: bytes)
                let shown = current
                take(frame, &current, before)
                if current.saysMore(than: shown) { output.show(current) }
            }
        }
    }

    private func take(_ frame: ProgressFrame, _ count: inout ProgressCount, _ before: ProgressCount) {
        switch frame.content {
        case .started(let payload): count.total = max(count.total, before.processed + payload.totalCount)
        case .progress(let payload) where payload.keepAlive != true:
            count.total = max(count.total, before.processed + payload.totalCount)
            count.take(payload, before: before)
        case .complete(let payload):
            count.total = max(count.total, before.processed + payload.totalProcessed)
            count.take(payload, before: before)
        case .progress, .failed, .reconnected, .ping, .other: break
        }
    }
}
