/// How far the target of one request is trusted (metadata.md "Providers").
package enum HopTrust: Hashable, Sendable {
    /// A configured base URL's own origin: `http` is allowed, and so is whatever address its name resolves to, because an
    /// operator chose it (a mirror, an emulator, a container's name).
    case configured
    /// Anywhere else, reached by a redirect: `https` only, and only public addresses. The address is checked where the
    /// socket is opened, so that a name that resolves differently the second time gains nothing.
    case foreign
}
