// swift-tools-version: 6.2
import PackageDescription

/// Settings for every Swift target. Warnings are errors if `BOOKSTRACK_WARNINGS_AS_ERRORS` is set, as in CI.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (Context.environment["BOOKSTRACK_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// Linker settings for the programs: identical code folding and packed relocations, which save 6 MB of memory per idle process. `ld.lld` is part of
/// the toolchain.
let compact: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld", "-Xlinker", "--icf=safe", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
        .when(platforms: [.linux], configuration: .release))
]

extension Target.Dependency {
    /// Dependencies that the client does not need.
    static let server = TargetDependencyCondition.when(traits: ["Server"])
    /// Dependencies that the client needs for WebSockets on Linux; the services use them too.
    static let transport = TargetDependencyCondition.when(traits: ["NIOTransport"])

    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser", condition: server)
    static let crypto = product(name: "Crypto", package: "swift-crypto", condition: server)
    static let grdb = product(name: "GRDB", package: "GRDB.swift", condition: server)
    static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift", condition: server)
    static let histogram = product(name: "Histogram", package: "hdrhistogram-swift", condition: server)
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types", condition: server)
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird", condition: server)
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird", condition: server)
    static let logging = product(name: "Logging", package: "swift-log", condition: server)
    static let nioConcurrencyHelpers = product(
        name: "NIOConcurrencyHelpers", package: "swift-nio", condition: transport)
    static let nioCore = product(name: "NIOCore", package: "swift-nio", condition: transport)
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio", condition: server)
    static let nioFoundationCompat = product(name: "NIOFoundationCompat", package: "swift-nio", condition: server)
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio", condition: transport)
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server)
    static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: server)
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio", condition: transport)
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl", condition: transport)
    static let nioWebSocket = product(name: "NIOWebSocket", package: "swift-nio", condition: transport)
    static let serviceLifecycle = product(
        name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server)
    static let subprocess = product(name: "Subprocess", package: "swift-subprocess", condition: server)
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server)
}

let package = Package(
    name: "bookstrack",
    // For the client; the services run on Linux.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "BookstrackClient", targets: ["BookstrackClient", "BookstrackContract", "BookIdentifiers"]),
        .library(name: "BookstrackClientTesting", targets: ["BookstrackClientTesting"]),
        .executable(name: "api-proxy", targets: ["APIProxyProgram"]),
        .executable(name: "progress-host", targets: ["ProgressHostProgram"]),
        .executable(name: "enrichment-worker", targets: ["EnrichmentWorkerProgram"]),
        .executable(name: "bookstrack", targets: ["BookstrackProgram"]),
        .executable(name: "bookstrack-suite", targets: ["SuiteProgram"]),
        .executable(name: "provider-emulator", targets: ["ProviderEmulator"]),
        .executable(name: "bookstrack-bench", targets: ["Benchmarks"]),
        .executable(name: "json-fuzz", targets: ["JSONFuzz"]),
        .executable(name: "import-fuzz", targets: ["ImportFuzz"]),
        .executable(name: "image-fuzz", targets: ["ImageFuzz"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(
            name: "Server", description: "The services and their command line.", enabledTraits: ["NIOTransport"]),
        .trait(name: "NIOTransport", description: "WebSockets for the client on Linux."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // MARK: Shared, in the order in which modules build on each other
        // The system's libcurl.
        .systemLibrary(
            name: "CCurl", path: "Shared/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // The system's zlib.
        .systemLibrary(name: "CZlib", path: "Shared/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Fixed-type wrappers for libcurl's variadic functions.
        .target(name: "CCurlShim", dependencies: ["CCurl"], path: "Shared/CCurlShim"),
        // JSON: a validating cursor, and the reading and writing built on it.
        .target(name: "JSON", dependencies: [.nioCore], path: "Shared/JSON", swiftSettings: strict),
        // HTTP requests on a single libcurl thread: limits, timeouts, proxies, redirects.
        .target(
            name: "Transfer", dependencies: ["CCurlShim", .nioConcurrencyHelpers], path: "Shared/Transfer",
            swiftSettings: strict),
        // ISBNs: validating, repairing, converting.
        .target(name: "BookIdentifiers", path: "Shared/BookIdentifiers", swiftSettings: strict),
        // The wire types of the API: envelopes, books, jobs, frames, codes. Foundation only.
        .target(
            name: "BookstrackContract", path: "Shared/Contract", exclude: ["docs"], swiftSettings: strict),
        // The client: calls, and job events across disconnects. It needs no other packages unless the trait NIOTransport is enabled.
        .target(
            name: "BookstrackClient",
            dependencies: [
                "BookIdentifiers", "BookstrackContract", .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .nioWebSocket,
            ],
            path: "Shared/BookstrackClient", swiftSettings: strict),
        // An in-memory server for tests of apps that use the client.
        .target(
            name: "BookstrackClientTesting", dependencies: ["BookstrackClient", "BookstrackContract"],
            path: "Shared/BookstrackClientTesting", swiftSettings: strict),
        // Library files from other applications: text, tables, columns and books.
        .target(
            name: "LibraryImport", dependencies: ["BookIdentifiers", "BookstrackContract", "JSON", .nioCore],
            path: "Shared/LibraryImport",
            resources: [
                .embedInCode("Cells/MonthNames.tsv"), .embedInCode("Cells/NamedCharacters.tsv"),
                .embedInCode("Cells/Statuses.tsv"), .embedInCode("Columns/Headers.tsv"),
                .embedInCode("Formats/Formats.tsv"),
            ],
            swiftSettings: strict),
        // Metrics, trace contexts, tail events, redaction of secrets.
        .target(
            name: "Observability", dependencies: [.httpTypes, .logging, .nioConcurrencyHelpers],
            path: "Shared/Observability", swiftSettings: strict),
        // JSON-RPC 2.0 over Unix sockets: framing, client, server, limits.
        .target(
            name: "JSONRPC",
            dependencies: ["JSON", "Observability", .nioConcurrencyHelpers, .nioCore, .nioPosix, .logging],
            path: "Shared/JSONRPC",
            swiftSettings: strict),
        // Opening, locking and migrating the two databases.
        .target(
            name: "SuiteStorage", dependencies: ["BookstrackContract", .grdb], path: "Shared/Storage",
            exclude: ["Backups.md", "Migrations.md"], swiftSettings: strict),
        // Image files: headers and metadata removal, without decoding pixels.
        .target(name: "ImageFiles", path: "Shared/ImageFiles", swiftSettings: strict),
        // The RPC methods between the processes, one type per method.
        .target(
            name: "SuiteMethods",
            dependencies: ["BookstrackContract", "ImageFiles", "JSON", "JSONRPC", "Observability", .crypto, .nioCore],
            path: "Shared/SuiteMethods", swiftSettings: strict),
        // The foundation of every process: settings, logging, lifecycle, systemd, health.
        .target(
            name: "ServiceKit",
            dependencies: [
                "BookstrackContract", "JSONRPC", "Observability", "SuiteMethods", .logging, .nioConcurrencyHelpers,
                .nioCore, .nioPosix, .serviceLifecycle, .unixSignals,
            ],
            path: "Shared/ServiceKit", swiftSettings: strict),

        // MARK: Services
        // Calling providers: retries, breakers, budgets.
        .target(
            name: "ProviderClient",
            dependencies: ["Observability", "Transfer", .logging, .nioConcurrencyHelpers],
            path: "Services/EnrichmentWorker/ProviderClient", swiftSettings: strict),
        // Queries to AI models: requests and responses for each kind of engine.
        .target(
            name: "Engines", dependencies: ["BookstrackContract", "JSON", .nioCore],
            path: "Services/EnrichmentWorker/Engines",
            swiftSettings: strict),
        // Pure functions for books: each provider's requests and decoding; matching, merging and searching.
        .target(
            name: "BookMetadata", dependencies: ["BookIdentifiers", "BookstrackContract", "JSON"],
            path: "Services/EnrichmentWorker/BookMetadata", exclude: ["Matching/Matching.md"],
            resources: [
                .embedInCode("Authors/Countries.tsv"), .embedInCode("Authors/Occupations.tsv"),
                .embedInCode("Matching/FunctionWords.tsv"),
            ], swiftSettings: strict),
        // enrichment-worker: claims, lookups, searches, files, photos, webhooks, cache, covers.
        .target(
            name: "EnrichmentWorker",
            dependencies: [
                "BookIdentifiers", "BookMetadata", "BookstrackContract", "Engines", "ImageFiles", "JSON", "JSONRPC",
                "LibraryImport",
                "Observability", "ProviderClient", "ServiceKit", "SuiteMethods", "SuiteStorage", "Transfer", .crypto,
                .grdb, .logging, .nioConcurrencyHelpers, .nioCore, .nioPosix, .serviceLifecycle,
            ],
            path: "Services/EnrichmentWorker/Worker", swiftSettings: strict),
        // progress-host: jobs, items, events, tokens, the WebSocket protocol.
        .target(
            name: "ProgressHost",
            dependencies: [
                "BookstrackContract", "JSON", "JSONRPC", "Observability", "ServiceKit", "SuiteMethods", "SuiteStorage",
                .crypto, .grdb, .grdbSQLite, .logging, .nioConcurrencyHelpers, .nioCore, .nioPosix, .serviceLifecycle,
            ],
            path: "Services/ProgressHost", swiftSettings: strict),
        // The files of the web pages, embedded by the C compiler.
        .target(name: "CPages", path: "Services/APIProxy/Pages", exclude: ["Console", "Docs", "Reader"]),
        // api-proxy: HTTP, the WebSocket transport, rate limits, cached responses, web pages.
        .target(
            name: "APIProxy",
            dependencies: [
                "BookIdentifiers", "BookstrackContract", "CPages", "CZlib", "ImageFiles", "JSON", "JSONRPC",
                "Observability", "ServiceKit", "SuiteMethods", .crypto, .httpTypes, .hummingbird, .hummingbirdCore,
                .logging, .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioPosix,
                .nioWebSocket, .serviceLifecycle,
            ],
            path: "Services/APIProxy", exclude: ["Pages"], swiftSettings: strict),
        // bookstrack: the command line. It does not link any service.
        .target(
            name: "BookstrackCLI",
            dependencies: [
                "BookIdentifiers", "BookstrackClient", "BookstrackContract", "ImageFiles", "JSON", "JSONRPC",
                "LibraryImport", "Observability", "ServiceKit", "SuiteMethods", "SuiteStorage", .argumentParser,
                .crypto, .grdb, .logging, .nioConcurrencyHelpers, .nioCore, .nioPosix, .subprocess,
            ],
            path: "Services/BookstrackCLI/Command", swiftSettings: strict),
        // Emulated providers for tests, benchmarks and the quickstart.
        .executableTarget(
            name: "ProviderEmulator",
            dependencies: [
                "BookIdentifiers", "JSON", .argumentParser, .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioPosix,
            ],
            path: "Services/ProviderEmulator", exclude: ["Behavior.md"],
            resources: [.embedInCode("Catalog/SampleBooks.tsv"), .embedInCode("Catalog/SamplePeople.tsv")],
            swiftSettings: strict),

        // MARK: Programs: the main functions, a few lines each
        // api-proxy: the process to which clients connect.
        .executableTarget(
            name: "APIProxyProgram", dependencies: ["APIProxy"], path: "Services/Programs/APIProxy",
            swiftSettings: strict, linkerSettings: compact),
        // progress-host: the process that owns the jobs.
        .executableTarget(
            name: "ProgressHostProgram", dependencies: ["ProgressHost"], path: "Services/Programs/ProgressHost",
            swiftSettings: strict, linkerSettings: compact),
        // enrichment-worker: the process that calls providers and AI engines.
        .executableTarget(
            name: "EnrichmentWorkerProgram", dependencies: ["EnrichmentWorker"],
            path: "Services/Programs/EnrichmentWorker", swiftSettings: strict, linkerSettings: compact),
        // bookstrack: the command line without the services.
        .executableTarget(
            name: "BookstrackProgram", dependencies: ["BookstrackCLI"], path: "Services/Programs/Bookstrack",
            swiftSettings: strict, linkerSettings: compact),
        // The services and the command line in one executable, for images, packages and installations from source.
        .executableTarget(
            name: "SuiteProgram",
            dependencies: ["APIProxy", "BookstrackCLI", "EnrichmentWorker", "ProgressHost", "SuiteMethods"],
            path: "Services/Programs/Suite", swiftSettings: strict, linkerSettings: compact),

        // MARK: Support for tests
        // Helpers shared by most test targets.
        .target(
            name: "TestSupport",
            dependencies: [
                "JSON", "Observability", .logging, .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioPosix,
                .nioWebSocket,
            ],
            path: "Tests/TestSupport", exclude: ["tls_and_proxy.py"], swiftSettings: strict),
        // A wire-level API client for tests and benchmarks: statuses, frames and closes.
        .target(
            name: "WireClient",
            dependencies: [
                "BookstrackContract", .nioConcurrencyHelpers, .nioCore, .nioFoundationCompat, .nioHTTP1, .nioPosix,
                .nioWebSocket,
            ],
            path: "Tests/WireClient", swiftSettings: strict),
        // Starts and stops real processes for tests and benchmarks.
        .target(
            name: "SuiteFixture",
            dependencies: [
                "BookstrackContract", "JSONRPC", "Observability", "SuiteMethods", "WireClient", .logging,
                .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioPosix, .subprocess,
            ],
            path: "Tests/SuiteFixture", swiftSettings: strict),

        // MARK: Test targets of modules, in the order of the modules
        .testTarget(
            name: "JSONTests", dependencies: ["JSON", "TestSupport", .nioCore], path: "Tests/JSONTests",
            swiftSettings: strict),
        .testTarget(
            name: "TransferTests", dependencies: ["CZlib", "TestSupport", "Transfer", .nioConcurrencyHelpers],
            path: "Tests/TransferTests", swiftSettings: strict),
        .testTarget(
            name: "BookIdentifiersTests", dependencies: ["BookIdentifiers", "TestSupport"],
            path: "Tests/BookIdentifiersTests", swiftSettings: strict),
        .testTarget(
            name: "ContractTests", dependencies: ["BookstrackContract", "JSONRPC", "TestSupport", .nioCore],
            path: "Tests/ContractTests",
            swiftSettings: strict),
        .testTarget(
            name: "BookstrackClientTests",
            dependencies: [
                "BookstrackClient", "BookstrackClientTesting", "BookstrackContract", "TestSupport", .nioCore, .nioHTTP1,
                .nioWebSocket,
            ],
            path: "Tests/BookstrackClientTests", swiftSettings: strict),
        .testTarget(
            name: "LibraryImportTests",
            dependencies: [
                "BookIdentifiers", "BookstrackContract", "JSON", "LibraryImport", "TestSupport", .nioCore,
            ],
            path: "Tests/LibraryImportTests", exclude: ["RealFileFacts.tsv"], swiftSettings: strict),
        .testTarget(
            name: "ObservabilityTests",
            dependencies: ["Observability", .httpTypes, .logging],
            path: "Tests/ObservabilityTests", swiftSettings: strict),
        .testTarget(
            name: "JSONRPCTests",
            dependencies: [
                "JSON", "JSONRPC", "Observability", "TestSupport", .nioConcurrencyHelpers, .nioCore, .nioEmbedded,
                .nioPosix,
                .logging,
            ],
            path: "Tests/JSONRPCTests", swiftSettings: strict),
        .testTarget(
            name: "ImageFilesTests", dependencies: ["ImageFiles", "TestSupport"], path: "Tests/ImageFilesTests",
            swiftSettings: strict),
        .testTarget(
            name: "SuiteMethodsTests",
            dependencies: [
                "BookstrackContract", "JSONRPC", "Observability", "SuiteMethods", "TestSupport", .nioCore,
            ],
            path: "Tests/SuiteMethodsTests", swiftSettings: strict),
        .testTarget(
            name: "ServiceKitTests",
            dependencies: [
                "BookstrackContract", "JSONRPC", "Observability", "ServiceKit", "SuiteMethods", "TestSupport", .logging,
                .nioConcurrencyHelpers, .nioCore, .nioPosix,
            ],
            path: "Tests/ServiceKitTests", swiftSettings: strict),
        .testTarget(
            name: "ProviderClientTests",
            dependencies: [
                "Observability", "ProviderClient", "TestSupport", "Transfer", .logging, .nioCore,
                .nioConcurrencyHelpers,
            ],
            path: "Tests/ProviderClientTests", swiftSettings: strict),
        .testTarget(
            name: "EnginesTests", dependencies: ["BookstrackContract", "Engines", .nioCore], path: "Tests/EnginesTests",
            swiftSettings: strict),
        .testTarget(
            name: "BookMetadataTests",
            dependencies: ["BookMetadata", "BookIdentifiers", "BookstrackContract", "TestSupport"],
            path: "Tests/BookMetadataTests",
            exclude: [
                "RecordedDocuments/Facts", "TitlePairs/README.md", "TitlePairs/TitlePairs.tsv",
                "TitlePairs/TitleNotations.tsv", "TitlePairs/HeldOutPairs.tsv", "TitlePairs/HeldOutPairs2.tsv",
                "TitlePairs/HeldOutPairs3.tsv", "TitlePairs/HeldOutPairs4.tsv", "TitlePairs/HeldOutPairs5.tsv",
                "TitlePairs/HeldOutPairs6.tsv", "TitlePairs/Recalled",
                "Goodbooks/NearDuplicates.tsv",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WorkerTests",
            dependencies: [
                "EnrichmentWorker", "BookMetadata", "BookIdentifiers", "BookstrackContract", "Engines", "JSONRPC",
                "LibraryImport", "Observability", "ProviderEmulator", "ProviderClient", "ServiceKit", "SuiteMethods",
                "SuiteStorage", "TestSupport", "Transfer", .grdb, .logging, .nioConcurrencyHelpers, .nioCore, .nioHTTP1,
                .nioPosix,
            ],
            path: "Tests/WorkerTests", swiftSettings: strict),
        .testTarget(
            name: "ProgressHostTests",
            dependencies: [
                "ProgressHost", "BookstrackContract", "JSONRPC", "Observability", "ServiceKit", "SuiteMethods",
                "SuiteStorage", "TestSupport", .grdb, .grdbSQLite, .logging, .nioConcurrencyHelpers, .nioCore,
                .nioPosix,
            ],
            path: "Tests/ProgressHostTests", swiftSettings: strict),
        .testTarget(
            name: "APIProxyTests",
            dependencies: [
                "APIProxy", "BookstrackContract", "CZlib", "ImageFiles", "JSON", "JSONRPC", "Observability",
                "ServiceKit", "SuiteMethods", "TestSupport", .crypto, .httpTypes, .hummingbirdCore, .logging,
                .nioConcurrencyHelpers, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix, .serviceLifecycle,
            ],
            path: "Tests/APIProxyTests", swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "BookstrackCLI", "BookstrackClient", "BookstrackContract", "ImageFiles", "JSONRPC", "LibraryImport",
                "Observability", "ServiceKit", "SuiteFixture", "SuiteMethods", "SuiteProgram", "SuiteStorage",
                "TestSupport", .argumentParser, .grdb, .logging, .nioConcurrencyHelpers, .nioCore, .nioFoundationCompat,
                .nioHTTP1, .nioPosix, .nioWebSocket, .subprocess,
            ],
            path: "Tests/CommandTests", swiftSettings: strict),
        .testTarget(
            name: "ProviderEmulatorTests",
            dependencies: [
                "BookIdentifiers", "JSON", "ProviderEmulator", "TestSupport", .argumentParser, .nioCore, .nioEmbedded,
                .nioHTTP1, .nioPosix,
            ],
            path: "Tests/ProviderEmulatorTests", swiftSettings: strict),

        // MARK: Tests of several modules, fuzzers and benchmarks
        // The documents, the sizes of files, and rules that no compiler checks.
        .testTarget(
            name: "RepositoryTests", dependencies: ["ServiceKit", "SuiteMethods"], path: "Tests/RepositoryTests",
            swiftSettings: strict),
        // The real processes with emulated providers.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BookIdentifiers", "BookstrackClient", "BookstrackContract", "Observability", "SuiteFixture",
                "SuiteMethods", "TestSupport", "WireClient", .grdb, .logging, .nioConcurrencyHelpers, .nioCore,
                .nioHTTP1, .nioPosix,
            ],
            path: "Tests/EndToEndTests", exclude: ["Clients"], swiftSettings: strict),
        // An app that keeps its book queue on disk, for a test that kills it.
        .executableTarget(
            name: "QueuedApp", dependencies: ["BookstrackClient", "BookstrackContract"], path: "Tests/QueuedApp",
            swiftSettings: strict),
        // Fuzzes every JSON interface and the framing of JSON-RPC.
        .executableTarget(
            name: "JSONFuzz", dependencies: ["JSON", "JSONRPC", "TestSupport", .nioCore], path: "Tests/JSONFuzz",
            swiftSettings: strict),
        // Fuzzes image headers and metadata removal.
        .executableTarget(
            name: "ImageFuzz", dependencies: ["ImageFiles", "TestSupport"], path: "Tests/ImageFuzz",
            swiftSettings: strict),
        // Fuzzes every stage of reading library files.
        .executableTarget(
            name: "ImportFuzz",
            dependencies: ["BookstrackContract", "JSON", "LibraryImport", "TestSupport"],
            path: "Tests/ImportFuzz", swiftSettings: strict),
        // Linux's epoll(7) and eventfd(2), which Glibc's module omits, for the clients of benchmarks.
        .systemLibrary(name: "CEpoll", path: "Tests/CEpoll"),
        // bookstrack-bench.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BookMetadata", "BookstrackContract", "CEpoll", "JSONRPC", "LibraryImport", "Observability",
                "SuiteFixture", "SuiteMethods", "TestSupport", "WireClient", .argumentParser, .grdb, .histogram,
                .logging, .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioPosix, .subprocess,
            ],
            path: "Tests/Benchmarks", swiftSettings: strict),
    ]
)
