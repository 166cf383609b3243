import BookstrackContract
import ProviderClient
import SuiteMethods
import Transfer

/// The cover hosts, with one client each, so a failing host does not open the other hosts' breakers.
struct CoverClients: Sendable {
    private let openLibrary: ProviderClient
    private let googleBooks: ProviderClient
    private let googleContent: ProviderClient
    private let isbndb: ProviderClient

    var all: [ProviderClient] { [openLibrary, googleBooks, googleContent, isbndb] }

    /// - Parameter client: Creates the client for a host.
    init(_ client: (CoverHost) throws -> ProviderClient) rethrows {
        openLibrary = try client(.openLibrary)
        googleBooks = try client(.googleBooks)
        googleContent = try client(.googleContent)
        isbndb = try client(.isbndb)
    }

    subscript(host: CoverHost) -> ProviderClient {
        switch host {
        case .openLibrary: openLibrary
        case .googleBooks: googleBooks
        case .googleContent: googleContent
        case .isbndb: isbndb
        }
    }
}

extension CoverHost {
    /// Maximum requests per second to the host; 0 = no limit. Open Library's host allows each IP address 400 pictures per minute.
    var requestsPerSecond: Double { self == .openLibrary ? 6 : 0 }
}

extension ProviderConfiguration {
    /// The hosts to which cover hosts may redirect: each other, archive.org, and its machines. Open Library stores most pictures at archive.org,
    /// which redirects to the machine that has the file.
    private static let coverHosts = RedirectHosts.only(
        names: Set(CoverHost.allCases.map(\.rawValue) + ["archive.org"]), domains: ["us.archive.org"])

    /// The configuration for a cover host. Open Library responds with 403 to a client that requests too many pictures
    /// (https://openlibrary.org/dev/docs/api/covers).
    ///
    /// - Parameter base: The host itself, or a mirror of it.
    static func covers(_ host: CoverHost, at base: BaseURL) -> ProviderConfiguration {
        ProviderConfiguration(
            name: host.rawValue, baseURL: base, redirectHosts: coverHosts,
            judge: { status, _ in
                host == .openLibrary && status == 403 ? .quotaExhausted(.unknown) : .ordinary
            })
    }
}
