import BookstrackContract
import NIOCore
import Observability
import SuiteMethods

/// Waits for the end of jobs on behalf of requests that the router answers. Each wait is a watcher of its job, so it survives a restart of
/// progress-host, and counts against the limits for watchers.
struct JobEnds: Sendable {
    let admission: WatcherAdmission

    /// The parts of a wait, used on the event loop of the request's connection.
    private struct Wait {
        var poll: JobPoll
        var timer: Scheduled<Void>
    }

    /// Returns when the job has ended, when the time is up, or when the task is cancelled. Returns earlier if the server stops or the job cannot be
    /// watched, for example because there are too many watchers or progress-host is down. Therefore, the caller has to check the job's state in any
    /// case.
    func wait(
        for job: CreatedJob, _ client: ClientNetwork, on channel: any Channel, _ activity: Activity,
        within limit: Duration
    ) async {
        let eventLoop = channel.eventLoop
        let request = SocketRequest(
            jobId: job.jobId, token: job.token, reconnect: false, since: nil, v1: false, isOneWay: true)
        let wait = NIOLoopBoundBox.makeEmptyBox(valueType: Wait.self, eventLoop: eventLoop)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        eventLoop.execute {
            let poll = try? admission.hub.open(job: job.jobId, client: client, on: eventLoop) {
                JobPoll(id: $0, request: request, permit: $1, shard: $2, channel: channel, until: .end) { end.finish() }
            }
            guard let poll else { return end.finish() }
            let timer = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { end.finish() }
            wait.value = Wait(poll: poll, timer: timer)
            Activity.$current.withValue(activity) {
                admission.ask(request, for: poll, on: eventLoop) { outcome in
                    if case .failure = outcome { end.finish() }
                }
            }
        }
        for await _ in ending {}
        eventLoop.execute {
            wait.value?.timer.cancel()
            wait.value?.poll.end()
        }
    }
}
