import NIOCore

/// The largest number of requests within any second. A window holds what arrived less than one second apart.
struct SlidingWindow: Sendable {
    private(set) var maximum = 0
    private var arrivals: CircularBuffer<TimeAmount> = []

    mutating func add(_ arrival: TimeAmount) {
        while let oldest = arrivals.first, arrival - oldest >= .seconds(1) { arrivals.removeFirst() }
        arrivals.append(arrival)
        maximum = max(maximum, arrivals.count)
    }
}
