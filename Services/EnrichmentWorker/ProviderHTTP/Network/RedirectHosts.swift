/// Where redirects may lead besides the configured base URL's own origin.
package enum RedirectHosts: Hashable, Sendable {
    /// Any public host.
    case any
    /// Hosts of these names, and those below these domains; all in lower case.
    case only(names: Set<String>, domains: Set<String>)

    /// - Parameter host: A host as ``Origin`` reads it, in lower case.
    func admits(_ host: String) -> Bool {
        switch self {
        case .any: true
        case .only(let names, let domains): names.contains(host) || domains.contains { host.hasSuffix(".\($0)") }
        }
    }
}
