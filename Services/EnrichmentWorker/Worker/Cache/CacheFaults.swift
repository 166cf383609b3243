/// What keeps the cache from being read and from being written.
struct CacheFaults: Sendable {
    private var read = LastingFault()
    private var written = LastingFault()

    subscript(access: CacheAccess) -> LastingFault {
        get {
            switch access {
            case .read: read
            case .written: written
            }
        }
        set {
            switch access {
            case .read: read = newValue
            case .written: written = newValue
            }
        }
    }
}
