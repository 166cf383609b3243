import Foundation
import HTTPTypes
package import Logging

/// A follower's filter; the service applies it before sending anything (command-line.md "tail").
///
/// Multiple values of one criterion are ORed, except header fields, which are ANDed; different criteria are ANDed. A criterion without a value is not
/// applied.
package struct TailFilter: Codable, Sendable, Equatable {
    /// A header field, matched by its name and optionally by text in its value.
    package struct Header: Codable, Sendable, Equatable {
        /// The field's name, case-insensitive.
        package var name: String
        /// Text in the field's value, case-insensitive; nil for any value.
        package var value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }

        /// Characters allowed in a field's name besides letters and digits (RFC 9110 §5.6.2).
        private static let marks = Set("!#$%&'*+-.^_`|~")

        /// Parses `NAME` or `NAME:TEXT`; nil if the name is invalid.
        package init?(_ text: some StringProtocol) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard !name.isEmpty,
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || Self.marks.contains($0) })
            else { return nil }
            let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
            self.init(name: name, value: value.isEmpty ? nil : String(value))
        }
    }

    /// Outcomes of events.
    package var outcomes: [TailOutcome] = []
    /// HTTP methods or RPC methods, case-insensitive.
    package var methods: [String] = []
    /// Header fields; all must be present.
    package var headers: [Header] = []
    /// Text in a log message, its metadata or an exception, case-insensitive.
    package var search: String?
    /// Client addresses.
    package var addresses: [String] = []
    /// Fraction of matching events to show, from 0 to 1.
    package var samplingRate: Double?
    /// A job identifier, or its first eight or more characters.
    package var jobID: String?
    /// A request identifier, or its first or last eight or more characters.
    package var requestID: String?
    /// Whether to include routine events, such as health checks, metrics reads and workers' claims (``TailEntry/isRoutine``); nil means false.
    package var includesRoutine: Bool?
    /// Minimum level of lines and events. An event that is not itself a log line has the severity of its most severe line, but at least info, and at
    /// least error if its outcome is an error.
    package var level: Logger.Level?

    package init() {}
}

extension TailFilter {
    /// Whether to show an entry. Matching entries are sampled at random.
    package func admits(_ entry: TailEntry, using random: inout some RandomNumberGenerator) -> Bool {
        guard matches(entry) else { return false }
        return samplingRate.map { Double.random(in: 0..<1, using: &random) < $0 } ?? true
    }

    /// Whether an entry meets every criterion, apart from sampling and ``includesRoutine``, which determines the hubs that are followed. Cheap
    /// criteria are checked first.
    package func matches(_ entry: TailEntry) -> Bool {
        (outcomes.isEmpty || outcomes.contains(entry.outcome))
            && Self.begins(entry.jobID, with: jobID)
            && Self.isRequest(entry.trace?.requestID, requestID)
            && (methods.isEmpty || hasMethod(entry.subject))
            && headers.allSatisfy { has($0, entry.subject) }
            && (addresses.isEmpty || hasAddress(entry.subject))
            && hasLines(entry)
    }

    /// Minimum length of a prefix or suffix; shorter strings match too many identifiers.
    private static let shortestPrefix = 8

    /// Whether an identifier equals or starts with the requested one. Without a requested identifier, anything matches.
    private static func begins(_ identifier: String?, with asked: String?) -> Bool {
        guard let asked else { return true }
        guard let identifier else { return false }
        return identifier == asked || (asked.utf8.count >= shortestPrefix && identifier.hasPrefix(asked))
    }

    /// Like ``begins(_:with:)``, but the last characters match as well: a tail shows the end of request identifiers, because the identifiers sent by
    /// one client may all start alike.
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
        if let level, lines.isEmpty {
            if case .log = entry.subject { return false }
            guard entry.outcome.level >= level else { return false }
        }
        guard let search else { return true }
        return lines.contains { $0.contains(search) }
            || entry.activity?.noted.exceptions.contains { $0.contains(search) } ?? false
    }
}

extension TailOutcome {
    /// Severity of an event without lines.
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
