import BookstrackContract
import Foundation
import Testing

@testable import APIProxy

/// A schema and the type whose JSON it describes.
struct DescribedType: Sendable, CustomTestStringConvertible {
    var name: String
    var schema: Schema
    /// Decodes an example as the type, and returns the value and its encoding as JSON text with sorted keys.
    var pass: @Sendable (Any) throws -> (value: any Codable, json: String)
    /// Members that only the schema or only the type has, each for a specific reason.
    var exceptions: Set<String> = []

    var testDescription: String { name }

    init<Value: Codable & Sendable>(
        _ name: String, _ schema: Schema, _ type: Value.Type, except exceptions: Set<String> = []
    ) {
        self.name = name
        self.schema = schema
        self.exceptions = exceptions
        pass = { example in
            let value = try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: example))
            return (value, try Self.text(JSONSerialization.jsonObject(with: JSONEncoder().encode(value))))
        }
    }

    init<Value: Codable & Sendable>(_ name: SchemaName, _ type: Value.Type, except exceptions: Set<String> = []) {
        self.init(name.rawValue, name.schema, type, except: exceptions)
    }

    /// The members of `failureCounts`, which are named by error codes in JSON and by enum cases in the type; the tests
    /// that decode and encode examples check them.
    private static let codes = Set(
        ItemErrorCode.allCases.flatMap { code in
            [code.rawValue, "\(code)"].map { "failureCounts.\($0)" }
        })

    /// Members that identify the book in a single-book request; each alternative contains only some of them.
    private static let book: Set<String> = ["isbn", "barcode", "title", "author"]

    static let named: [DescribedType] = [
        .init(.work, WorkDTO.self), .init(.edition, EditionDTO.self), .init(.author, AuthorDTO.self),
        .init(.searchResults, SearchResults.self), .init(.editionResults, EditionResults.self),
        .init(.book, BookQuery.self),
        // Each alternative contains only one of the lists.
        .init(.booksBatch, EnrichmentBatchRequest.self, except: ["isbns", "barcodes", "workIds", "books"]),
        .init(.isbnsBatch, EnrichmentBatchRequest.self, except: ["books", "barcodes", "workIds", "isbns"]),
        .init(.barcodesBatch, EnrichmentBatchRequest.self, except: ["books", "isbns", "workIds", "barcodes"]),
        .init(.workIdsBatch, EnrichmentBatchRequest.self, except: ["books", "isbns", "barcodes", "workIds"]),
        .init(.bookByISBN, BookEnrichmentRequest.self, except: book),
        .init(.bookByTitle, BookEnrichmentRequest.self, except: book),
        .init(.bookByBarcode, BookEnrichmentRequest.self, except: book), .init(.bookEnrichment, BookEnrichment.self),
        .init(.startedJob, StartedJob.self), .init(.enrichedMetadata, EnrichedMetadata.self),
        .init(.enrichedBook, EnrichedBook.self), .init(.enrichmentResults, EnrichmentResults.self),
        .init(.startedImport, StartedImport.self), .init(.importedBook, ImportedBook.self),
        .init(.importRowError, ImportRowError.self), .init(.skippedRow, SkippedRow.self),
        .init(.importSource, ImportSource.self), .init(.importResults, ImportResults.self),
        .init(.importPreview, ImportPreview.self), .init(.importStatus, ImportStatus.self),
        .init(.shippedImportStatus, ImportStatus.self),
        .init(.startedScan, StartedScan.self), .init(.startedBatchScan, StartedBatchScan.self),
        .init(.boundingBox, BoundingBox.self),
        .init(.scannedPhoto, ScannedPhoto.self), .init(.scannedBook, ScannedBook.self),
        .init(.scanResults, ScanResults.self),
        .init(.insights, JobInsights.self), .init(.distribution, JobInsights.Distribution.self),
        .init(.reportReceipt, ReportReceipt.self),
        .init(.jobState, JobState.self, except: codes), .init(.cancelOutcome, CancelOutcome.self),
        .init(.retryOutcome, RetryOutcome.self), .init(.tokenRequest, TokenRefreshRequest.self),
        .init(.refreshedToken, TokenRefreshed.self), .init(.health, HealthReport.self),
        .init(.readiness, ReadinessReport.self), .init(.metadata, ResponseMetadata.self),
        .init(.providerReport, ProviderReport.self), .init(.volume, Volume.self), .init(.volumeList, VolumeList.self),
        // `data` is always null, so the type omits it.
        .init(.failure, FailureEnvelope.self, except: ["data"]),
        .init(.jobStarted, JobStartedPayload.self), .init(.jobProgress, JobProgressPayload.self, except: codes),
        .init(.jobComplete, JobCompletePayload.self, except: codes), .init(.jobError, JobErrorPayload.self),
        .init(.batchInit, BatchInitPayload.self), .init(.batchProgress, BatchProgressPayload.self),
        .init(.batchComplete, BatchCompletePayload.self), .init(.batchCanceling, BatchCancelingPayload.self),
        .init(.matchReport, MatchReport.self), .init(.readyAck, ReadyAckPayload.self),
        .init(.reconnected, ReconnectedPayload.self), .init(.resultsUpdated, ResultsUpdatedPayload.self),
        .init(.ping, PingPayload.self), .init(.pong, PongPayload.self), .init(.v1Frame, V1Frame.self),
    ]

    static func text(_ json: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: json, options: .sortedKeys), as: UTF8.self)
    }
}

@Suite("Schemas") struct SchemaTests {
    @Test("a value with every described member is unchanged by decoding and encoding", arguments: DescribedType.named)
    func full(_ described: DescribedType) throws {
        let example = SchemaExample.make(described.schema, isFull: true)
        #expect(try described.pass(example).json == DescribedType.text(example))
    }

    @Test(
        "a value with only the required members is unchanged by decoding and encoding",
        arguments: DescribedType.named)
    func least(_ described: DescribedType) throws {
        let example = SchemaExample.make(described.schema, isFull: false)
        #expect(try described.pass(example).json == DescribedType.text(example))
    }

    @Test("every member of a type is described, at every depth", arguments: DescribedType.named)
    func nothingMissing(_ described: DescribedType) throws {
        let value = try described.pass(SchemaExample.make(described.schema, isFull: true)).value
        let faults = Self.differences(Mirror(reflecting: value), described.schema, at: described.name)
        #expect(faults.filter { fault in !described.exceptions.contains { fault.hasSuffix(".\($0)") } } == [])
    }

    @Test("every member described as required is required by the type", arguments: DescribedType.named)
    func required(_ described: DescribedType) throws {
        guard case .object(let properties) = described.schema else { return }
        let example = try #require(SchemaExample.make(described.schema, isFull: true) as? [String: Any])
        for property in properties where property.isRequired && !described.exceptions.contains(property.name) {
            var rest = example
            rest[property.name] = nil
            #expect(throws: DecodingError.self, "\(property.name)") { try described.pass(rest) }
        }
    }

    @Test("every named schema is either compared with its type or listed as tested elsewhere")
    func complete() {
        let elsewhere: Set<SchemaName> = [
            .batchRequest, .bookRequest, .legacyStartedJob, .jobAccess, .jobSelection, .cancelRequest, .liveness,
            .importUpload, .scanUpload, .batchScanUpload, .batchScanPhotos, .shippedImportResults, .jobResults,
            .shippedJobResults, .report, .reportByISBN, .reportOfRow,
        ]
        let compared = Set(DescribedType.named.map(\.name)).union(elsewhere.map(\.rawValue))
        #expect(compared == Set(SchemaName.allCases.map(\.rawValue)))
    }

    /// The members that only the value or only the schema has; both are traversed in parallel.
    private static func differences(_ mirror: Mirror, _ schema: Schema, at place: String) -> [String] {
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { differences(Mirror(reflecting: $0.value), schema, at: place) } ?? []
        }
        switch schema {
        case .named(let name): return differences(mirror, name.schema, at: place)
        case .list(let element, _):
            return mirror.children.flatMap { differences(Mirror(reflecting: $0.value), element, at: place) }
        case .object(let properties):
            let members = mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
            let names = Set(members.map(\.0)).symmetricDifference(properties.map(\.name))
            return names.map { "\(place).\($0)" }
                + members.flatMap { name, value in
                    guard let property = properties.first(where: { $0.name == name }) else { return [String]() }
                    return differences(Mirror(reflecting: value), property.schema, at: "\(place).\(name)")
                }
        default: return []
        }
    }
}
