/// The options of a program that tries random inputs: `[--inputs N] [--seed S] [--stage NAME]`.
package struct FuzzOptions {
    package private(set) var inputs: Int
    package private(set) var seed: UInt64 = 1
    /// The only stage to run; nil for all.
    package private(set) var stage: String?

    /// - Parameters:
    ///   - inputs: Default number of inputs.
    ///   - stages: Names of the stages, for a program that has several.
    /// - Returns: nil if the arguments are invalid.
    package init?(_ arguments: some Collection<String>, inputs: Int, stages: [String] = []) {
        self.inputs = inputs
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            switch (name, rest.popFirst()) {
            case ("--inputs", let value?):
                guard let count = Int(value), count > 0 else { return nil }
                self.inputs = count
            case ("--seed", let value?):
                guard let number = UInt64(value) else { return nil }
                seed = number
            case ("--stage", let value?):
                guard stages.contains(value) else { return nil }
                stage = value
            default: return nil
            }
        }
    }
}
