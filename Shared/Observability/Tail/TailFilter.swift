package import Logging

/// What a follower wants to see; it is applied in the service, before anything is sent (command-line.md "tail").
///
/// Of several values of one criterion any may match; every criterion that is given must.
package struct TailFilter: Codable, Sendable, Equatable {
    /// A header field of a request, by its name and, if given, a text within its value.
    package struct Header: Codable, Sendable, Equatable {
        /// The field's name, in any case of letters.
        package var name: String
        /// A text within its value, in any case of letters; nil for any value.
        package var value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// How the event ended.
    package var outcomes: [TailOutcome] = []
    /// HTTP methods or names of RPC methods, in any case of letters.
    package var methods: [String] = []
    /// Fields of a request, of which all must be there.
    package var headers: [Header] = []
    /// A text within a logged message, its metadata or an exception, in any case of letters.
    package var search: String?
    /// Client addresses.
    package var addresses: [String] = []
    /// Share of the matching events that is shown, between 0 and 1.
    package var samplingRate: Double?
    /// The job that the event is about, or the first eight or more characters of its identifier.
    package var jobID: String?
    /// The request that the event belongs to, or the first or last eight or more characters of its identifier.
    package var requestID: String?
    /// Whether routine events are shown, too: health checks, readings of status and metrics, workers' requests for
    /// work, and tails (``TailEntry/isRoutine``); nil is false.
    package var includesRoutine: Bool?
    /// Minimum level of the lines that are shown, and of the events: an event has the severity of its most severe line, at least info, and
    /// error when that is its outcome.
    package var level: Logger.Level?

    package init() {}
}
