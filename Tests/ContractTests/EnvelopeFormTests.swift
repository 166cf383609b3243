import BookstrackContract
import TestSupport
import Testing

/// Envelopes, and the content of health and readiness responses (http-api.md "Envelope" and "Readiness").
@Suite("JSON of envelopes")
struct EnvelopeFormTests {
    private struct Shelf: Codable, Equatable {
        var books: [String]
    }

    @Test("a success envelope contains its data and the known metadata")
    func success() throws {
        let metadata = ResponseMetadata(
            timestamp: "2025-11-15T20:00:00.000Z", processingTime: 145, provider: "openlibrary", cached: false)
        #expect(
            try WireForm.of(SuccessEnvelope(data: Shelf(books: ["Dune"]), metadata: metadata))
                == WireForm.line(
                    """
                    {"success":true,
                    "data":{"books":["Dune"]},
                    "metadata":{"timestamp":"2025-11-15T20:00:00.000Z","processingTime":145,
                        "provider":"openlibrary","cached":false}}
                    """))
    }

    @Test("metadata without further facts contains only the time")
    func bareMetadata() throws {
        #expect(
            try WireForm.of(ResponseMetadata(timestamp: "2025-11-15T20:00:00.000Z"))
                == #"{"timestamp":"2025-11-15T20:00:00.000Z"}"#)
    }

    @Test("an incomplete search reports the outcome of each provider")
    func providers() throws {
        var metadata = ResponseMetadata(timestamp: "2025-11-15T20:00:00.000Z", provider: "openlibrary")
        metadata.stale = true
        metadata.providers = [
            ProviderReport(provider: .googleBooks, outcome: .quotaExhausted, durationMs: 12),
            ProviderReport(provider: .openLibrary, outcome: .ok, durationMs: 81),
            ProviderReport(provider: .isbndb, outcome: .notFound, durationMs: 3),
        ]
        #expect(
            try WireForm.of(metadata)
                == WireForm.line(
                    """
                    {"timestamp":"2025-11-15T20:00:00.000Z","provider":"openlibrary","stale":true,"providers":[
                    {"provider":"google-books","outcome":"quota_exhausted","durationMs":12},
                    {"provider":"openlibrary","outcome":"ok","durationMs":81},
                    {"provider":"isbndb","outcome":"not_found","durationMs":3}]}
                    """))
    }

    @Test(
        "each provider outcome has its documented name",
        arguments: [
            (#""ok""#, ProviderReport.Outcome.ok), (#""not_found""#, .notFound), (#""timeout""#, .timeout),
            (#""error""#, .error), (#""quota_exhausted""#, .quotaExhausted),
        ])
    func outcomes(json: String, outcome: ProviderReport.Outcome) throws {
        #expect(try WireForm.of(outcome) == json)
    }

    private static let failure = FailureEnvelope(
        error: .init(
            message: "The check digit is wrong.", code: .invalidISBN,
            details: ["field": "isbn"], retryable: false, statusCode: 400),
        metadata: ResponseMetadata(timestamp: "2025-11-15T20:00:00.000Z"))

    @Test("a failure envelope contains null data and an error that repeats the status")
    func failure() throws {
        #expect(
            try WireForm.of(Self.failure)
                == WireForm.line(
                    """
                    {"success":false,"data":null,"metadata":{"timestamp":"2025-11-15T20:00:00.000Z"},
                    "error":{"message":"The check digit is wrong.","code":"INVALID_ISBN",
                        "details":{"field":"isbn"},"retryable":false,"statusCode":400}}
                    """))
    }

    @Test("a failure without details has no details member")
    func noDetails() throws {
        var failure = Self.failure
        failure.error.details = nil
        #expect(try !WireForm.of(failure).contains("details"))
    }

    @Test(
        "a failure is decoded with or without a data member",
        arguments: ["\"data\":null,", "", "\"data\":{},", "\"data\":[1],"])
    func readFailure(data: String) throws {
        let envelope = try WireForm.read(
            FailureEnvelope.self,
            """
            {"success":false,\(data)"metadata":{"timestamp":"t"},"error":{"message":"m","code":"JOB_EXISTS",\
            "details":{"jobId":"J","books":3,"open":true,"tried":["a","b"]},"retryable":false,"statusCode":409}}
            """)
        #expect(envelope.error.code == .jobExists)
        #expect(envelope.error.details == ["jobId": "J", "books": 3, "open": true, "tried": .list(["a", "b"])])
    }

    @Test("a failure with a code unknown to this version is rejected")
    func unknownCode() {
        #expect(throws: DecodingError.self) {
            try WireForm.read(
                FailureEnvelope.self,
                """
                {"success":false,"metadata":{"timestamp":"t"},\
                "error":{"message":"m","code":"TEAPOT","retryable":false,"statusCode":418}}
                """)
        }
    }

    @Test(
        "a detail is encoded with its own JSON type",
        arguments: [
            (DetailValue.text("isbn"), #""isbn""#), (.text("5"), #""5""#), (.integer(5), "5"), (.integer(-1), "-1"),
            (.flag(true), "true"), (.flag(false), "false"), (.list([]), "[]"), (.list(["a", "b"]), #"["a","b"]"#),
        ])
    func details(value: DetailValue, json: String) throws {
        #expect(try WireForm.of(value) == json)
        #expect(try WireForm.read(DetailValue.self, json) == value)
    }

    @Test("a detail of any other type is rejected", arguments: ["{}", "[1]", "1.5", "null"])
    func otherDetails(json: String) {
        #expect(throws: DecodingError.self) { try WireForm.read(DetailValue.self, json) }
    }

    @Test("health contains the service's name, version and routes")
    func health() throws {
        #expect(
            try WireForm.of(
                HealthReport(status: "ok", worker: "api-proxy", version: "0.2.0", endpoints: ["/health", "/v1/jobs"]))
                == #"{"status":"ok","worker":"api-proxy","version":"0.2.0","endpoints":["/health","/v1/jobs"]}"#)
    }

    @Test(
        "public readiness contains only the status, and the admin listener's readiness also contains the dependencies")
    func readiness() throws {
        #expect(try WireForm.of(ReadinessReport(status: .ready)) == #"{"status":"ready"}"#)
        let report = ReadinessReport(
            status: .degraded,
            dependencies: [.init(name: "enrichment-worker", status: .unavailable, reason: "not connected")])
        #expect(
            try WireForm.of(report)
                == WireForm.line(
                    """
                    {"status":"degraded","dependencies":[
                    {"name":"enrichment-worker","status":"unavailable","reason":"not connected"}]}
                    """))
        #expect(try WireForm.read(ReadinessReport.self, WireForm.of(report)) == report)
    }
}
