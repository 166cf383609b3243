/// Timers in order of their time: a binary heap. A timer cannot be taken back; who set it checks on firing whether it still means anything.
struct TimerQueue<Timer> {
    private var heap: [(at: Duration, timer: Timer)] = []

    /// When the first timer fires.
    var next: Duration? { heap.first?.at }

    mutating func set(_ timer: Timer, at time: Duration) {
        heap.append((time, timer))
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The first timer, if its time has come.
    mutating func pop(at now: Duration) -> Timer? {
        guard let first = heap.first, first.at <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.timer }
        heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { break }
            let right = left + 1
            let child = right < heap.count && heap[right].at < heap[left].at ? right : left
            guard heap[child].at < heap[parent].at else { break }
            heap.swapAt(child, parent)
            parent = child
        }
        return first.timer
    }
}
