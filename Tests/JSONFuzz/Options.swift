/// `json-fuzz [--inputs N] [--seed S]`
struct Options {
    var inputs = 100_000
    var seed: UInt64 = 1

    /// nil when the arguments are not understood.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch (name, rest.popFirst()) {
            case ("--inputs", let value?):
                guard let count = Int(value), count > 0 else { return nil }
                inputs = count
            case ("--seed", let value?):
                guard let number = UInt64(value) else { return nil }
                seed = number
            default: return nil
            }
        }
    }
}
