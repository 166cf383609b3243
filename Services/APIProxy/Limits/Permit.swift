/// One of a limited number of permits. It is given back when its last reference is released, even if the response that needed it was never sent.
final class Permit: Sendable {
    private let giveBack: @Sendable () -> Void

    init(givingBack giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

extension Dictionary where Value == Int {
    /// Lowers a count. A count that reaches zero is removed, so that only keys in use take memory.
    mutating func decrement(_ key: Key, by amount: Int = 1) {
        self[key] = self[key].flatMap { $0 > amount ? $0 - amount : nil }
    }
}
