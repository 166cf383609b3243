import ArgumentParser
import Logging
import Observability

/// The options that select events; the services apply them.
struct TailFilterOptions: ParsableArguments {
    @Option(help: "Only events with this outcome; repeatable.")
    var status: [TailOutcome] = []

    @Option(
        help: ArgumentHelp(
            "Only requests with this HTTP method, or calls of this RPC method; repeatable.", valueName: "name"))
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
            "Only events of this request, in every service; the 8 characters that are shown of its id are enough.",
            valueName: "id"))
    var request: String?

    @Option(help: "Only lines that have at least this level, and events that have such a line.")
    var level: Logger.Level?

    @Flag(help: "Include health checks, status and metrics reads, workers' requests for work, and tails.")
    var all = false

    func validate() throws {
        if let samplingRate, !(samplingRate > 0 && samplingRate < 1) {
            throw ValidationError("--sampling-rate must be more than 0 and less than 1, for example 0.1.")
        }
        if searchText?.isEmpty == true { throw ValidationError("--search must not be empty.") }
        if request?.isEmpty == true { throw ValidationError("--request needs an id.") }
        if method.contains(where: \.isEmpty) { throw ValidationError("--method needs a name, for example GET.") }
    }

    /// - Parameters:
    ///   - job: The whole identifier of the job, where it is known.
    ///   - own: What `self` stands for.
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
        // Whoever names such a method wants to see its calls.
        filter.includesRoutine =
            all || method.contains(where: TailEntry.isRoutine(method:)) ? true : nil
        filter.level = level
        return filter
    }
}

extension TailOutcome: ExpressibleByArgument {}
