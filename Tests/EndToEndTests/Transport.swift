import BookstrackContract
import SuiteFixture
import WireClient

/// The transports that push a job's events to a client.
enum Transport: CaseIterable {
    case socket
    case eventStream

    /// The URL path at which the job is followed, including its token.
    func path(of job: StartedJob) -> String {
        switch self {
        case .socket: "\(job.websocketUrl)&token=\(job.token)"
        case .eventStream: "\(job.eventsUrl)?token=\(job.token)"
        }
    }

    func crowd(at address: ServerAddress) -> any WatcherCrowd {
        switch self {
        case .socket: SocketCrowd(address)
        case .eventStream: StreamCrowd(address)
        }
    }
}
