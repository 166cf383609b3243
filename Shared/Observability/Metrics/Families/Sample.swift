/// One reading of a family, and the labels that tell it from the others.
package struct Sample: Sendable, Codable, Equatable {
    /// One label.
    package struct Label: Sendable, Codable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var labels: [Label]
    package let reading: Reading

    package init(labels: [Label] = [], _ reading: Reading) {
        self.labels = labels
        self.reading = reading
    }
}
