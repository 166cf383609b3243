import ServiceKit
import Testing

/// The smallest and largest value of every whole-number setting while all others have their defaults, and of request
/// rates. A service refuses to start with a value outside this range, or with settings that contradict each other.
@Suite("Bounds of numeric settings")
struct SettingBoundsTests {
    struct Bounds: Sendable, CustomTestStringConvertible {
        let name: String
        let low: Int
        let high: Int

        init(_ name: String, _ low: Int, _ high: Int) { (self.name, self.low, self.high) = (name, low, high) }

        var testDescription: String { name }
        var variable: String { "BOOKSTRACK_" + name }
    }

    private static let bounds = [
        // HTTP and WebSockets.
        Bounds("HTTP_PORT", 0, 65_535),
        Bounds("ADMIN_PORT", 0, 65_535),
        Bounds("MAX_BATCH_BOOKS", 1, 10_000),
        Bounds("MAX_SOCKETS", 1, 1_000_000),
        Bounds("MAX_SOCKETS_PER_JOB", 1, 1_000_000),
        Bounds("MAX_SOCKETS_PER_ADDRESS", 1, 1_000_000),
        Bounds("MAX_CONNECTIONS", 1, 1_000_000),
        Bounds("MAX_CONNECTIONS_PER_ADDRESS", 1, 1_000_000),
        // Uploads and imports: up to 1 GiB per file, 1 PiB in total. Half of the total holds at least five photos of 10 MiB.
        Bounds("MAX_IMPORT_BYTES", 1, 1_073_741_824),
        Bounds("MAX_IMPORT_ROWS", 1, 1_000_000),
        Bounds("MAX_UPLOAD_BYTES_TOTAL", 104_857_600, 1_125_899_906_842_624),
        // Rate limits. 0 is not allowed, because it could mean no requests or no limit: set `BOOKSTRACK_RATE_LIMIT` to
        // off instead.
        Bounds("RATE_LIMIT_PER_HOUR", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_PER_MINUTE", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_SEARCHES_PER_MINUTE", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_STARTS_PER_MINUTE", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_IMPORTS_PER_MINUTE", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_SCANS_PER_MINUTE", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_REPORTS_PER_MINUTE", 1, 1_000_000_000),
        Bounds("RATE_LIMIT_JOB_READS_PER_MINUTE", 1, 1_000_000_000),
        // Jobs: the maximum retention is a year.
        Bounds("READY_TIMEOUT_MS", 1, 600_000),
        Bounds("PING_INTERVAL_MS", 10, 3_600_000),
        Bounds("PROGRESS_INTERVAL_MS", 0, 60_000),
        Bounds("KEEPALIVE_MS", 10, 3_600_000),
        Bounds("TOKEN_REFRESH_WINDOW_SECONDS", 1, 7_200),
        Bounds("TOKEN_TTL_SECONDS", 1_800, 31_536_000),
        Bounds("RESULTS_TTL_SECONDS", 1, 31_536_000),
        // Providers, engines and caches. A budget of 0 means no limit.
        Bounds("GOOGLE_BOOKS_DAILY_BUDGET", 0, 100_000_000),
        Bounds("ISBNDB_DAILY_BUDGET", 0, 100_000_000),
        Bounds("SCAN_DAILY_BUDGET", 0, 100_000_000),
        Bounds("CACHE_MAX_BYTES", 1_048_576, 1_099_511_627_776),
        Bounds("COVERS_MAX_BYTES", 16_777_216, 1_099_511_627_776),
        Bounds("CACHE_ISBN_TTL_SECONDS", 0, 31_536_000),
        Bounds("CACHE_SEARCH_TTL_SECONDS", 0, 31_536_000),
        Bounds("CACHE_AUTHOR_TTL_SECONDS", 0, 31_536_000),
        Bounds("CACHE_NEGATIVE_TTL_SECONDS", 0, 31_536_000),
    ]

    private func refusal(_ environment: [String: String]) -> String? {
        do {
            _ = try Settings.load(arguments: [], environment: environment)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("both ends of a setting's range are accepted and shown as they were specified", arguments: bounds)
    func inside(bounds: Bounds) throws {
        for value in [bounds.low, bounds.high] {
            let settings = try Settings.load(arguments: [], environment: [bounds.variable: "\(value)"])
            let shown = settings.effective.first { $0.name == bounds.variable }
            #expect(shown?.value == "\(value)")
            #expect(shown?.source == .environment)
        }
    }

    @Test("the nearest values outside a setting's range are rejected", arguments: bounds)
    func outside(bounds: Bounds) {
        for value in [bounds.low - 1, bounds.high + 1] {
            #expect(refusal([bounds.variable: "\(value)"]) != nil, "\(value)")
        }
    }

    @Test(
        "the error for a value outside a setting's range states the range",
        arguments: bounds.filter { !$0.name.hasPrefix("TOKEN_") })
    func message(bounds: Bounds) {
        let value = bounds.high + 1
        let range = "a whole number from \(bounds.low) to \(bounds.high)"
        #expect(
            refusal([bounds.variable: "\(value)"])
                == "\(bounds.variable) must be \(range), not \"\(value)\" (from environment)")
    }

    @Test("a value that is not a whole number is rejected", arguments: bounds)
    func noNumber(bounds: Bounds) {
        for value in ["many", "1.5", "1e3", "0x10", "1_000", "1,000", " 5", "5 ", "５", "-", "--"] {
            #expect(refusal([bounds.variable: value]) != nil, "\(value)")
        }
    }

    @Test("a token refresh window longer than the token's lifetime is rejected as a contradiction")
    func tokenTimes() {
        #expect(
            refusal(["BOOKSTRACK_TOKEN_TTL_SECONDS": "1799"])
                == "BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS must not exceed BOOKSTRACK_TOKEN_TTL_SECONDS")
        #expect(
            refusal([
                "BOOKSTRACK_TOKEN_TTL_SECONDS": "60", "BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS": "60",
            ]) == nil)
    }

    @Test("an import limit of more than half of the total for uploaded files is rejected as a contradiction")
    func uploadSizes() {
        #expect(
            refusal([
                "BOOKSTRACK_MAX_IMPORT_BYTES": "1073741824", "BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL": "2147483647",
            ]) == "BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL must be at least twice BOOKSTRACK_MAX_IMPORT_BYTES")
        #expect(
            refusal([
                "BOOKSTRACK_MAX_IMPORT_BYTES": "1073741824", "BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL": "2147483648",
            ]) == nil)
    }

    @Test(
        "a request rate may be any number from 0 to 100 000",
        arguments: [("0", "0"), ("0.5", "0.5"), ("3", "3"), ("3.0", "3"), ("100000", "100000"), ("1e2", "100")])
    func rates(value: String, shown: String) throws {
        for name in [
            "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND", "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND",
            "BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND",
        ] {
            let settings = try Settings.load(arguments: [], environment: [name: value])
            #expect(settings.effective.first { $0.name == name }?.value == shown)
        }
    }

    @Test(
        "a request rate that is not a number from 0 to 100 000 is rejected",
        arguments: ["-0.1", "100000.1", "nan", "inf", "fast", "1/2", "1,5"])
    func wrongRates(value: String) {
        #expect(refusal(["BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND": value]) != nil)
    }
}
