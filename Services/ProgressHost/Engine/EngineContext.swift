import BookstrackContract
import JSONRPC
import Logging
import NIOCore
import Observability
import SuiteMethods

/// State shared by the parts of the engine, and the effects of a turn, which run after its commit (engine-thread.md "The engine's parts").
///
/// Used by one thread at a time (``EngineThread``).
final class EngineContext {
    /// Maximum number of sockets in one message. With more, the largest frame (`V1Completion.byteLimit`) might not fit.
    private static let socketsPerDelivery = 128

    let policy: HostPolicy
    let logger: Logger
    private let tail: TailHub

    var timers = TimerQueue<EngineTimer>()
    /// What has happened in this turn so far; it is counted after the commit.
    var tally = TurnTally()
    private var links: [PeerID: any PeerLink] = [:]
    private var effects: [Effect] = []
    /// Job steps in this turn, for `bookstrack tail`.
    private var jobSteps: [TailEntry] = []
    /// Steps that must be synced and therefore run in a synced group of commands (jobs.md "Durability").
    private var durableSteps: [DurableStep] = []

    init(policy: HostPolicy, logger: Logger, tail: TailHub) {
        self.policy = policy
        self.logger = logger
        self.tail = tail
    }

    // MARK: Connected processes

    func connect(_ link: any PeerLink) { links[link.id] = link }

    func disconnect(_ peer: PeerID) { links[peer] = nil }

    /// Number of bytes waiting to be written to a process; nil if it is not connected.
    func bufferedBytes(of peer: PeerID) -> Int? { links[peer]?.bufferedBytes }

    // MARK: After the commit

    /// Adds an effect, which runs after the commit or is abandoned if the transaction fails.
    func afterCommit(_ effect: Effect) { effects.append(effect) }

    /// Sends a frame to sockets after the commit, except to those of disconnected processes.
    func deliver(_ frame: ByteBuffer, kind: SocketDelivery.Kind, seq: Int, to keys: [SocketKey]) {
        guard !keys.isEmpty else { return }
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            guard let link = links[peer] else { continue }
            tally.deliveries.append((kind, group.count))
            var rest = group[...]
            while !rest.isEmpty {
                let delivery = SocketDelivery(
                    sockets: rest.prefix(Self.socketsPerDelivery).map(\.socket), kind: kind, seq: seq, frame: frame)
                rest = rest.dropFirst(Self.socketsPerDelivery)
                effects.append(Effect(commit: { link.notifyRaw(SocketDelivery.name, delivery.raw) }))
            }
        }
    }

    /// Sends a typed notification after the commit.
    func notify<N: RPCNotification>(_ notification: N.Type, _ parameters: N.Parameters, to peer: PeerID) {
        guard let link = links[peer], let encoded = try? BodyCoding.encode(parameters) else { return }
        effects.append(Effect(commit: { link.notifyRaw(N.name, encoded) }))
    }

    /// Records a job step; tails receive it after the commit.
    func note(
        _ name: TailSubject.Step.Name, of job: JobRow, index: Int? = nil, result: String? = nil, code: String? = nil,
        _ turn: Turn
    ) {
        jobSteps.append(
            TailEntry(
                .init(name, index: index, result: result, code: code), job: job.id.text, job.trace, at: turn.now.wall))
    }

    // MARK: Synced steps

    var hasSteps: Bool { !durableSteps.isEmpty }

    func isScheduled(_ step: DurableStep) -> Bool { durableSteps.contains(step) }

    /// Schedules a step for the next group.
    func schedule(_ step: DurableStep) { durableSteps.append(step) }

    /// Removes and returns the waiting steps.
    func takeSteps() -> [DurableStep] {
        defer { durableSteps = [] }
        return durableSteps
    }

    /// Drops steps that will be scheduled again.
    func dropStepsOfState() { durableSteps.removeAll(where: \.followsFromState) }

    // MARK: The end of a turn

    /// Ends a committed turn: publishes its job steps to attached tails and returns the effects to run.
    func keepTurn() -> [Effect] {
        tail.publish(nonRoutine: jobSteps)
        jobSteps.removeAll(keepingCapacity: true)
        tally.clear()
        return takeEffects()
    }

    /// Ends a turn whose transaction failed: callers receive the failure, the turn's timers fire again by `retryAt`, and the steps that nothing else
    /// will schedule are kept.
    func undoTurn(timers fired: [EngineTimer], steps: [DurableStep], retryAt: Duration, _ failure: HostFailure) {
        tally.clear()
        jobSteps.removeAll(keepingCapacity: true)
        for timer in fired { timers.setAtLatest(timer, at: retryAt) }
        durableSteps = (steps + durableSteps).filter { !$0.followsFromState }
        for effect in takeEffects() { effect.abandon(failure) }
    }

    private func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}
