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
}
