/// A work of Open Library that was merged into another one or deleted. Its key is still answered, with status 200 and without the work
/// (https://openlibrary.org/developers/dumps names both types).
struct RetiredRecord: Sendable {
    /// For example `/works/OL900001W`.
    let key: String
    /// The work it was merged into; nil for one that was deleted.
    let location: String?

    /// `{"type":{"key":"/type/redirect"},"location":…}` or `{"type":{"key":"/type/delete"}}`.
    var document: JSONValue {
        .members([
            "key": .string(key),
            "type": ["key": location == nil ? "/type/delete" : "/type/redirect"],
            "location": location.map(JSONValue.string),
            "latest_revision": 6,
            "revision": 6,
            "last_modified": ["type": "/type/datetime", "value": "2024-02-29T12:00:00.000000"],
        ])
    }
}

extension SampleCatalogue {
    /// A work that was merged, one that was merged into that one, one that leads to itself, and one that was deleted.
    static let retired: [RetiredRecord] = [
        RetiredRecord(key: "/works/OL900001W", location: books.first { $0.title == "Dune" }?.workKey),
        RetiredRecord(key: "/works/OL900002W", location: "/works/OL900001W"),
        RetiredRecord(key: "/works/OL900003W", location: "/works/OL900003W"),
        RetiredRecord(key: "/works/OL900004W", location: nil),
    ]
}
