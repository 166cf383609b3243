/// `import-fuzz [--inputs N] [--seed S] [--stage NAME]`
struct Options {
    var inputs = 10_000
    var seed: UInt64 = 1
    /// The only stage to run; all of them without it.
    var stage: String?

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
            case ("--stage", let value?):
                guard FuzzRun.stages.contains(where: { $0.name == value }) else { return nil }
                stage = value
            default: return nil
            }
        }
    }
}
