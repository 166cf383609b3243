/// The clients that were seen last, at most `capacity`; finding, adding and forgetting one takes constant time.
///
/// Memory is bounded whatever addresses are forged: 264 bytes per client, 16.5 MiB for 65 536, and under 3 MiB for the index.
/// A new client takes the place of the one that was not seen for longest, as soon as that one's windows are empty, and at the bound in
/// any case. Whoever has refilled was not seen for an hour, so this is also the order in which clients refill: what a forger of
/// addresses can make the table forget is first what does not matter.
struct ClientTable: Sendable {
    private struct Entry {
        var client: ClientNetwork
        var record = ClientRecord()
        /// Places of the neighbours in the order of last use; -1 at the ends.
        var newer: Int32 = -1
        var older: Int32 = -1
    }

    private let capacity: Int
    private var entries: [Entry] = []
    private var places: [ClientNetwork: Int32] = [:]
    private var newest: Int32 = -1
    private var oldest: Int32 = -1

    init(capacity: Int = 65_536) { self.capacity = capacity }

    /// Clients that are remembered.
    var count: Int { places.count }

    /// Bytes of the entries and of the index.
    var bytes: Int {
        entries.capacity * MemoryLayout<Entry>.stride
            + places.capacity * (MemoryLayout<ClientNetwork>.stride + MemoryLayout<Int32>.stride)
    }

    /// Hands out the record of a client, an empty one for a new client, and makes it the one that was seen last.
    mutating func update<Outcome>(
        _ client: ClientNetwork, at now: Int64, _ change: (inout ClientRecord) -> Outcome
    ) -> Outcome {
        let place: Int32
        if let known = places[client] {
            place = known
            unlink(place)
        } else {
            place = makeRoom(for: client, at: now)
            places[client] = place
        }
        linkAsNewest(place)
        return change(&entries[Int(place)].record)
    }

    private mutating func makeRoom(for client: ClientNetwork, at now: Int64) -> Int32 {
        if oldest >= 0, entries.count == capacity || entries[Int(oldest)].record.hasRefilled(at: now) {
            let place = oldest
            unlink(place)
            places[entries[Int(place)].client] = nil
            entries[Int(place)] = Entry(client: client)
            return place
        }
        if entries.count == entries.capacity { entries.reserveCapacity(min(max(64, entries.count * 2), capacity)) }
        entries.append(Entry(client: client))
        return Int32(entries.count - 1)
    }

    private mutating func unlink(_ place: Int32) {
        let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
        if newer >= 0 { entries[Int(newer)].older = older } else { newest = older }
        if older >= 0 { entries[Int(older)].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ place: Int32) {
        entries[Int(place)].newer = -1
        entries[Int(place)].older = newest
        if newest >= 0 { entries[Int(newest)].newer = place } else { oldest = place }
        newest = place
    }
}
