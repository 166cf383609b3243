import ServiceKit

extension HostPolicy {
    /// The policy as configured (configuration.md).
    init(_ settings: Settings) {
        self.init()
        readyTimeout = settings[.readyTimeout]
        pingInterval = settings[.pingInterval]
        silenceLimit = settings[.pingInterval] * 3
        progressInterval = settings[.progressInterval]
        keepAliveInterval = settings[.keepAlive]
        tokens.life = settings[.tokenTTL]
        tokens.refreshWindow = settings[.tokenRefreshWindow]
        resultsLife = settings[.resultsTTL]
        tokenlessAllowed = settings[.legacyTokenless]
    }
}
