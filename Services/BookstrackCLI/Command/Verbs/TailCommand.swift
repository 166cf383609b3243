import ArgumentParser
import BookstrackContract
import Dispatch
import Foundation
import Logging
import Observability
import ServiceKit
import SuiteMethods

/// `bookstrack tail`
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Stream requests, RPC calls and job events live.",
        discussion: """
            Shows one event per HTTP request, RPC call and job step, with the lines logged and the errors that occurred during it, \
            and one event per line logged outside of these. Events of several services are merged in chronological order. Health checks, \
            status and metrics reads, workers' requests for work, the console's requests, and tails are left out unless they failed or were \
            cancelled, --all is given, or --method names their RPC method. Repeated values of one option are ORed (--header: ANDed); \
            different options are ANDed. The services filter the events and never wait for a reader: events that a slow reader misses are \
            counted.

            If a service stops or is not running yet, the tail continues with the others and tries to reconnect after 1, 2, 4, 8 and 16 s \
            before it gives up. Once reconnected, it shows the events that it missed. Ctrl-C ends the tail.
            """)

    @Argument(
        help: ArgumentHelp(
            "Services to follow (default: all).", valueName: "service"))
    var targets: [TailTarget] = []

    @Option(help: "Output format: pretty or json, one object per line (default: pretty on a terminal, else json).")
    var format: TailFormat?

    @Flag(help: "Short for --format json.")
    var json = false

    @OptionGroup(title: "Filters") var criteria: TailFilterOptions

    @Option(
        help: ArgumentHelp(
            "Start with the events since this time: 90s, 10m, 2h or 1d ago, or a time such as 2026-11-21T10:00:00Z.",
            valueName: "when")
    )
    var since: PointInPast?

    @Option(help: ArgumentHelp("Start with up to this many past events of each service.", valueName: "count"))
    var last: Int?

    func validate() throws {
        guard !json || format != .pretty else {
            throw ValidationError("--json means --format json; omit either --json or --format pretty.")
        }
        if case .time(let time)? = since, time > Activity.now {
            throw ValidationError("--since is in the future; a UTC time ends in Z.")
        }
        if let last, last < 1 { throw ValidationError("--last must be at least 1.") }
    }

    func run() async throws {
        try await runVerb {
            let run = try self.tail(job: try await jobName())
            let replays = since != nil || last != nil
            let running = Task { await run.run(replays: replays) }
            let interrupt = InterruptHandler.calling {
                if StandardStreams.errorColumns != nil { StandardStreams.writeError("\n") }
                running.cancel()
                // A stalled reader must not prevent the tail from ending.
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                    Foundation.exit(ExitStatus.success.rawValue)
                }
            }
            defer { interrupt.cancel() }
            return await running.value
        }
    }

    /// The identifier of the job to follow: in full if the job is known, otherwise as given; nil if none was given.
    private func jobName() async throws -> String? {
        do {
            return try await criteria.job?.job().text
        } catch let failure as CommandFailure where failure.status == .noInput {
            // The job may no longer exist, or not exist yet.
            StandardStreams.writeMessage("bookstrack: \(failure.message); following every job with this prefix")
            return criteria.job?.text
        }
    }

    private func tail(job: String?) throws -> TailRun {
        let directories = try CommandSettings.load().directories
        let services = TailTarget.services(targets, workers: directories.workers)
        let isTerminal = StandardStreams.outputColumns != nil
        let environment = TerminalEnvironment()
        let now = Activity.now
        let following = TailFollowing(filter: criteria.filter(job: job), replay: replay(now: now), start: now)
        return TailRun(
            tails: services.map { ServiceTail(service: $0, path: directories.socket(of: $0), start: following) },
            text: EventText(
                format: format ?? (isTerminal && !json ? .pretty : .json), services: services,
                colors: isTerminal && environment.allowsColors, today: now),
            output: .standard(environment: environment))
    }

    func replay(now: Int64) -> SubscribeToTail.Replay? {
        guard since != nil || last != nil else { return nil }
        return .init(since: since?.milliseconds(now: now), last: last)
    }
}

/// The options that select events; the services apply them.
struct TailFilterOptions: ParsableArguments {
    @Option(help: "Only events with this outcome; repeatable.")
    var status: [TailOutcome] = []

    @Option(
        help: ArgumentHelp(
            "Only requests with this HTTP method, or calls to this RPC method; repeatable.", valueName: "name"))
    var method: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only requests with this header field, optionally with this text in its value; repeatable, and all must match.",
            valueName: "name[:value]"))
    var header: [HeaderCriterion] = []

    @Option(
        name: .customLong("search"),
        help: ArgumentHelp("Only events with this text in a log line or an error.", valueName: "text"))
    var searchText: String?

    @Option(
        help: ArgumentHelp(
            "Only requests from this address, or 'self' for this machine; repeatable.", valueName: "address")
    )
    var ip: [AddressCriterion] = []

    @Option(
        help: ArgumentHelp(
            "Fraction of the matching events to show, between 0 and 1: 0.1 for one in ten.", valueName: "share"))
    var samplingRate: Double?

    @Option(
        help: ArgumentHelp(
            "Only events of this job, in every service; the first 8 characters of the id are enough.",
            valueName: "id"), completion: JobCompletion.kind)
    var job: JobReference?

    @Option(
        help: ArgumentHelp(
            "Only events of this request, in every service; the 8 characters of its id that are shown are enough.",
            valueName: "id"))
    var request: String?

    @Option(
        help: """
            Only log lines at this level or above, and events with such a line; an event itself counts as info, or as error if it failed.
            """)
    var level: Logger.Level?

    @Flag(
        help: """
            Include health checks, status and metrics reads, workers' requests for work, the console's requests, and tails.
            """)
    var all = false

    func validate() throws {
        if let samplingRate, !(samplingRate > 0 && samplingRate < 1) {
            throw ValidationError("--sampling-rate must be greater than 0 and less than 1, for example 0.1.")
        }
        if searchText?.isEmpty == true { throw ValidationError("--search must not be empty.") }
        if request?.isEmpty == true { throw ValidationError("--request needs an id.") }
        if method.contains(where: \.isEmpty) { throw ValidationError("--method needs a name, for example GET.") }
    }

    /// - Parameters:
    ///   - job: The job's identifier; by default, that of the option.
    ///   - own: The addresses that `self` stands for.
    func filter(job: String? = nil, own: @autoclosure () -> [String] = OwnAddresses.read()) -> TailFilter {
        var filter = TailFilter()
        filter.outcomes = status
        filter.methods = method
        filter.headers = header.map(\.header)
        filter.search = searchText
        filter.addresses = ip.flatMap { $0.addresses(own: own()) }
        filter.samplingRate = samplingRate
        filter.jobID = job ?? self.job?.text
        filter.requestID = request
        // Filtering by the name of a routine method includes its calls.
        filter.includesRoutine =
            all || method.contains(where: TailEntry.isRoutine(method:)) ? true : nil
        filter.level = level
        return filter
    }
}

extension TailOutcome: ExpressibleByArgument {}
