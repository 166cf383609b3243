/// A JSON reference.
struct Reference: Encodable {
    var to: String

    private enum CodingKeys: String, CodingKey { case to = "$ref" }
}
