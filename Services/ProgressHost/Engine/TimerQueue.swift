/// Timers in order of their time. Each timer is set at most once: setting it again moves it.
///
/// A binary heap beside the truth: an entry of the heap whose timer was moved or cancelled is recognised when it comes up.
struct TimerQueue<Timer: Hashable> {
    private var heap: [(at: Duration, timer: Timer)] = []
    private var times: [Timer: Duration] = [:]

    /// When there is something to look at; never later than the first timer.
    var next: Duration? { heap.first?.at }

    /// How many timers are set.
    var count: Int { times.count }

    /// When a timer fires, nil when it is not set.
    func time(of timer: Timer) -> Duration? { times[timer] }

    /// Sets a timer, or moves it.
    mutating func set(_ timer: Timer, at time: Duration) {
        let old = times.updateValue(time, forKey: timer)
        // One that moves to later is pushed again when its old entry comes up.
        if let old, old <= time { return }
        push(timer, at: time)
    }

    /// Sets a timer unless it fires before that anyway.
    mutating func setAtLatest(_ timer: Timer, at time: Duration) {
        if let old = times[timer], old <= time { return }
        set(timer, at: time)
    }

    /// Takes a timer back.
    mutating func cancel(_ timer: Timer) { times[timer] = nil }

    /// The first timer, if its time has come.
    mutating func pop(at now: Duration) -> Timer? {
        while let first = heap.first, first.at <= now {
            removeFirst()
            guard let time = times[first.timer] else { continue }
            if time <= first.at {
                times[first.timer] = nil
                return first.timer
            }
            push(first.timer, at: time)
        }
        return nil
    }

    private mutating func push(_ timer: Timer, at time: Duration) {
        heap.append((time, timer))
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].at < heap[left].at ? right : left
            guard heap[child].at < heap[parent].at else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
