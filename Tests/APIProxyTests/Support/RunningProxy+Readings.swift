import Observability

@testable import APIProxy

extension RunningProxy {
    /// A family's numbers by the values of their labels.
    func readings(_ name: String) -> [[String]: Double] {
        let samples = services.registry.families().filter { $0.name == name }.flatMap(\.samples)
        return Dictionary(
            uniqueKeysWithValues: samples.map { sample in
                guard case .number(let number) = sample.reading else { return (sample.labels.map(\.value), .nan) }
                return (sample.labels.map(\.value), number)
            })
    }

    /// How a histogram without labels stands.
    func distribution(_ name: String) -> Distribution? {
        let samples = services.registry.families().filter { $0.name == name }.flatMap(\.samples)
        guard case .distribution(let distribution)? = samples.first?.reading else { return nil }
        return distribution
    }

    /// How many values a histogram without labels has.
    func observations(_ name: String) -> UInt64? { distribution(name)?.counts.reduce(0, +) }
}
