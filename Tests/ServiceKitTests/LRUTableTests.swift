import ServiceKit
import TestSupport
import Testing

@Suite("The LRU table") struct LRUTableTests {
    @Test(
        "after any sequence of uses, additions and removals, the values and order in an LRU table match those of a plain list"
    )
    func random() throws {
        var random = SeededGenerator(seed: 7)
        var table = LRUTable<Int, String>(capacity: 20)
        var list: [Int] = []
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<40, using: &random)
            if let place = table.use(key) {
                #expect(table[place] == "\(key)")
                list.removeAll { $0 == key }
                list.append(key)
            } else {
                #expect(!list.contains(key))
                if list.count == 20, let oldest = table.leastRecent {
                    #expect(table.remove(at: oldest) == "\(list.removeFirst())")
                }
                table.add("\(key)", for: key)
                list.append(key)
            }
            if key % 4 == 0, let other = list.randomElement(using: &random) {
                #expect(table.remove(other) == "\(other)")
                list.removeAll { $0 == other }
            }
            #expect(table.count == list.count)
        }
        for key in list { #expect(table.leastRecent.map { table.remove(at: $0) } == "\(key)") }
        #expect(table.leastRecent == nil)
    }
}
