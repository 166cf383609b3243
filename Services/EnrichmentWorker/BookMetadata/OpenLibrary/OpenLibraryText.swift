/// A text that Open Library writes either as a string or as `{"type": "/type/text", "value": …}`.
struct OpenLibraryText: Decodable {
    let value: String

    private enum CodingKeys: CodingKey {
        case value
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            value = text
        } else {
            value = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .value)
        }
    }
}
