import Foundation
import HTTPTypes
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

extension TailFilter {
    /// Whether an entry is to be shown. Sampling draws anew for each entry that matches.
    package func admits(_ entry: TailEntry, using random: inout some RandomNumberGenerator) -> Bool {
        guard matches(entry) else { return false }
        return samplingRate.map { Double.random(in: 0..<1, using: &random) < $0 } ?? true
    }

    /// Whether an entry meets every criterion; those that are cheap to look at come first.
    package func matches(_ entry: TailEntry) -> Bool {
        (outcomes.isEmpty || outcomes.contains(entry.outcome))
            && Self.begins(entry.jobID, with: jobID)
            && Self.isRequest(entry.trace?.requestID, requestID)
            && (methods.isEmpty || hasMethod(entry.subject))
            && headers.allSatisfy { has($0, entry.subject) }
            && (addresses.isEmpty || hasAddress(entry.subject))
            && hasLines(entry)
    }

    /// Shorter ones name too much to be the beginning of an identifier.
    private static let shortestPrefix = 8

    /// Whether an identifier is the one asked for, or begins with it; anything will do where nothing is asked for.
    private static func begins(_ identifier: String?, with asked: String?) -> Bool {
        guard let asked else { return true }
        guard let identifier else { return false }
        return identifier == asked || (asked.utf8.count >= shortestPrefix && identifier.hasPrefix(asked))
    }

    /// As ``begins(_:with:)``, but the last characters will do, too: those are what a tail shows of a request, because the identifiers of one
    /// client may all begin alike.
    private static func isRequest(_ identifier: String?, _ asked: String?) -> Bool {
        guard let asked, let identifier else { return asked == nil }
        return begins(identifier, with: asked) || (asked.utf8.count >= shortestPrefix && identifier.hasSuffix(asked))
    }

    private func hasMethod(_ subject: TailSubject) -> Bool {
        switch subject {
        case .request(let request): methods.contains { $0.caseInsensitiveCompare(request.method) == .orderedSame }
        case .rpc(let call): methods.contains { $0.caseInsensitiveCompare(call.method) == .orderedSame }
        case .job, .log: false
        }
    }

    private func has(_ header: Header, _ subject: TailSubject) -> Bool {
        guard case .request(let request) = subject, let name = HTTPField.Name(header.name),
            let found = request.fields()[name]
        else { return false }
        return header.value.map { found.range(of: $0, options: .caseInsensitive) != nil } ?? true
    }

    private func hasAddress(_ subject: TailSubject) -> Bool {
        guard case .request(let request) = subject, let address = request.address() else { return false }
        return addresses.contains(address)
    }

    private func hasLines(_ entry: TailEntry) -> Bool {
        guard search != nil || level != nil else { return true }
        let lines = entry.lines.filter { line in level.map { line.level >= $0 } ?? true }
        if let level, lines.isEmpty, entry.outcome.level < level { return false }
        guard let search else { return true }
        return lines.contains { $0.contains(search) }
            || entry.activity?.noted.exceptions.contains { $0.contains(search) } ?? false
    }
}

extension TailOutcome {
    /// Severity without any line.
    fileprivate var level: Logger.Level {
        switch self {
        case .ok, .canceled: .info
        case .error: .error
        }
    }
}

extension LoggedLine {
    fileprivate func contains(_ text: String) -> Bool {
        message.range(of: text, options: .caseInsensitive) != nil
            || metadata.values.contains { "\($0)".range(of: text, options: .caseInsensitive) != nil }
    }
}

extension NotedException {
    fileprivate func contains(_ text: String) -> Bool {
        "\(name): \(message)".range(of: text, options: .caseInsensitive) != nil
    }
}
