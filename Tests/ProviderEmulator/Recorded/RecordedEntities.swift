/// Items of Wikidata and lines of search answers found in recorded answers.
struct RecordedEntities: Sendable {
    private(set) var entities: [JSONValue] = []
    private(set) var searchResults: [JSONValue] = []

    /// Looks for what an answer of the API holds, or one item alone.
    mutating func collect(_ value: JSONValue) {
        for entity in value["entities"]?.objectMembers ?? [] { keep(entity.value) }
        if value["search"] != nil { searchResults += value["search"]?.elements.filter { $0["label"] != nil } ?? [] }
        keep(value)
    }

    private mutating func keep(_ entity: JSONValue) {
        if entity["type"] == "item", entity["id"] != nil { entities.append(entity) }
    }
}
