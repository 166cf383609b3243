/// What is done with the cache, as the log says it.
enum CacheAccess: String {
    case read, written
}
