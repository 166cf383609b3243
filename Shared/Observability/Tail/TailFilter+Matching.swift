import Foundation
import HTTPTypes
import Logging

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
