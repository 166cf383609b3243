/// Who holds which item, and until when (spec/05 "Claims are leases").
struct LeaseTable {
    struct Lease {
        var holder: PeerID
        var until: Duration
        /// The item already has an outcome; what is leased is a follow-up or a background retry.
        var isLater: Bool
    }

    private var leases: [ItemNumber: Lease] = [:]
    private var perJob: [Int64: Int] = [:]

    var isEmpty: Bool { leases.isEmpty }

    subscript(item: ItemNumber) -> Lease? { leases[item] }

    /// Leases held of a job's items.
    func count(job: Int64) -> Int { perJob[job] ?? 0 }

    mutating func add(_ item: ItemNumber, _ lease: Lease) {
        if leases.updateValue(lease, forKey: item) == nil { perJob[item.job, default: 0] += 1 }
    }

    @discardableResult
    mutating func remove(_ item: ItemNumber) -> Lease? {
        guard let lease = leases.removeValue(forKey: item) else { return nil }
        let left = (perJob[item.job] ?? 1) - 1
        perJob[item.job] = left > 0 ? left : nil
        return lease
    }

    /// Takes away every lease that `condition` holds for.
    mutating func removeAll(where condition: (ItemNumber, Lease) -> Bool) -> [(item: ItemNumber, lease: Lease)] {
        let gone = leases.filter { condition($0.key, $0.value) }
        for item in gone.keys { remove(item) }
        return gone.map { ($0.key, $0.value) }
    }
}
