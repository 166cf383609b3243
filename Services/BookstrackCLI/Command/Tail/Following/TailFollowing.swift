import Observability
import SuiteMethods

/// Where the following of one service stands: what to ask it, what of its events is new, and what to do when it is lost.
struct TailFollowing {
    private let filter: TailFilter
    /// What the first subscription asks for.
    private let replay: SubscribeToTail.Replay?
    private var shown: ShownEvents
    private var schedule = ReattachSchedule()
    private var attempts = 0
    /// The process that was followed last.
    private var pid: Int32?
    private var wasMissed = false

    /// - Parameter start: When the tail began, in milliseconds since 1970.
    init(filter: TailFilter, replay: SubscribeToTail.Replay?, start: Int64) {
        self.filter = filter
        self.replay = replay
        shown = ShownEvents(floor: replay?.since ?? start)
    }

    /// What the next subscription asks for: after a loss, all that happened since.
    var parameters: SubscribeToTail.Parameters {
        if pid == nil, let replay { return .init(filter: filter, replay: replay) }
        guard wasMissed else { return .init(filter: filter, replay: nil) }
        return .init(filter: filter, replay: .init(since: since))
    }

    /// A sample of the past would be drawn anew, and other events than before be in it; so nothing is asked twice.
    private var since: Int64 {
        guard filter.samplingRate != nil, let newest = shown.newest else { return shown.floor }
        return max(shown.floor, newest + 1)
    }

    /// The service has answered.
    mutating func attached(_ answer: SubscribeToTail.Result) -> TailNews {
        defer { pid = answer.pid }
        schedule.reset()
        attempts = 0
        if pid == answer.pid, filter.samplingRate == nil { shown.expectRepeats() } else { shown.expectNoRepeats() }
        return .attached(answer, before: pid)
    }

    /// The service has sent something.
    mutating func take(_ batch: TailEvents.Parameters) -> TailNews {
        .events(batch.events.filter { shown.isNew($0) }, dropped: max(0, batch.dropped))
    }

    /// The service is gone or was not found.
    mutating func lost(_ loss: TailNews.Loss) -> TailNews {
        wasMissed = true
        if case .refused = loss { return .givenUp(loss) }
        guard let wait = schedule.next() else { return .givenUp(loss) }
        attempts += 1
        return .lost(loss, again: wait, attempt: attempts)
    }
}
