/// A person as `/authors/OL…A.json`, the authors dump and `/search/authors.json` send them.
struct OpenLibraryAuthor {
    let key: String?
    let name: String?
    let personalName: String?
    let alternateNames: [String]
    let birthDate: String?
    let deathDate: String?
    let wikidata: String?
    let workCount: Int?

    init(_ node: JSONNode) {
        key = node["key"]?.string
        name = node["name"]?.string
        personalName = node["personal_name"]?.string
        alternateNames = node.strings("alternate_names")
        birthDate = node["birth_date"]?.string
        deathDate = node["death_date"]?.string
        wikidata = node["remote_ids"]?["wikidata"]?.string
        workCount = node["work_count"]?.int
    }
}
