/// A value that may be of another type than expected: then it is missing, and its neighbours are still read.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? decoder.singleValueContainer().decode(Value.self)
    }
}

extension Lenient: Sendable where Value: Sendable {}
