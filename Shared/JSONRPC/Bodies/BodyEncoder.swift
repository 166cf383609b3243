/// Writes one value's containers straight into a ``JSONOutput``, without building a tree of them first.
struct BodyEncoder: Encoder {
    let output: JSONOutput
    /// Brackets that are open around the value.
    private let outerDepth: Int

    /// Not kept: errors here come from a single number, which says what it is.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// For the value that is due in `output`.
    init(_ output: JSONOutput) {
        self.output = output
        outerDepth = output.depth
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A value may ask more than once; its members share one object.
        if output.depth == outerDepth { output.openObject() }
        return KeyedEncodingContainer(ObjectContainer(output: output, depth: outerDepth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if output.depth == outerDepth { output.openArray() }
        return ArrayContainer(output: output, depth: outerDepth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(output: output) }
}
