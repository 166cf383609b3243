import Glibc

/// Wakes a waiting thread. The monotonic clock limits each wait (pthread_condattr_setclock(3)), so a wait does not become longer if the wall clock is
/// set back. NIO's `ConditionLock` and Foundation's `NSCondition` use the wall clock.
// @unchecked Sendable: `isSet` is used only while `mutex` is locked, and the pointers are constants that are valid until `deinit`.
final class WakeSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isSet = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Ends the current wait or, if no thread is waiting, the next one.
    func set() {
        pthread_mutex_lock(mutex)
        isSet = true
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// Waits until the signal is set, for at most `limit`; returns whether it was set since the last wait.
    func wait(atMost limit: Duration) -> Bool {
        var end = Self.end(of: limit)
        pthread_mutex_lock(mutex)
        defer {
            isSet = false
            pthread_mutex_unlock(mutex)
        }
        // A spurious wakeup returns 0 as well.
        while !isSet, pthread_cond_timedwait(condition, mutex, &end) == 0 {}
        return isSet
    }

    /// The time on the monotonic clock at which a wait that begins now ends.
    private static func end(of limit: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = max(limit, .zero).components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}
