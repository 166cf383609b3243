import Foundation
import NIOHTTP1
import SuiteFixture
import SuiteMethods
import WireClient

/// The text of a metrics scrape, parsed line by line.
struct Exposition {
    private var values: [(name: String, labels: [String: String], value: Double)] = []
    let text: String

    /// Scrapes until all of `services` are up, for at most a minute: on a busy machine, a service that does not respond
    /// in time is reported as down.
    static func scrape(
        _ suite: SuiteFixture.Suite, showing services: [ServiceName] = ServiceName.allCases
    ) async throws -> Exposition {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let exposition = try await scrapeOnce(suite)
            let isComplete = services.allSatisfy {
                exposition["bookstrack_service_up", ["service": $0.rawValue]] == 1
            }
            if isComplete || ContinuousClock.now >= deadline { return exposition }
        }
    }

    private static func scrapeOnce(_ suite: SuiteFixture.Suite) async throws -> Exposition {
        let admin = HTTPClient(address: suite.adminAddress)
        let answer = try await admin.send(HTTPCall(.GET, "/metrics", timeout: .seconds(30)))
        await admin.shutdown()
        return Exposition(answer.text)
    }

    init(_ text: String) {
        self.text = text
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            let (name, labels) = Self.series(line[..<space])
            values.append((name, labels, value))
        }
    }

    /// The names of all families, once for each `# TYPE` line.
    var headings: [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    }

    /// Writes the text to the directory `BOOKSTRACK_EXPOSITIONS`, if it is set, for checks with other tools.
    func keep(as name: String) throws {
        guard let directory = ProcessInfo.processInfo.environment["BOOKSTRACK_EXPOSITIONS"] else { return }
        try text.write(to: URL(filePath: directory).appending(path: "\(name).prom"), atomically: true, encoding: .utf8)
    }

    /// The sum of the series whose labels include `labels`; nil if there are none.
    subscript(name: String, labels: [String: String]) -> Double? {
        let found = values.filter { series in
            series.name == name && labels.allSatisfy { series.labels[$0.key] == $0.value }
        }
        return found.isEmpty ? nil : found.reduce(0) { $0 + $1.value }
    }

    private static func series(_ text: Substring) -> (String, [String: String]) {
        guard let brace = text.firstIndex(of: "{") else { return (String(text), [:]) }
        let pairs = text[text.index(after: brace)...].dropLast().split(separator: ",").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), String(parts[1].dropFirst().dropLast()))
        }
        return (String(text[..<brace]), Dictionary(uniqueKeysWithValues: pairs))
    }
}
