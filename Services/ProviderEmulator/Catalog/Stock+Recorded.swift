import BookIdentifiers

/// Recorded documents are served unchanged. Data that a response needs but that was not recorded is derived from the edition.
extension Stock {
    mutating func add(_ documents: RecordedDocuments) {
        var names: [String: String] = [:]
        for author in documents.authors {
            guard let key = author["key"]?.text else { continue }
            names[key] = author["name"]?.text
            add(author: key) { author }
        }
        for document in documents.searchDocuments { add(searchDocument: document) }
        for work in documents.works { add(work: work, names: names) }
        for edition in documents.editions { add(edition: edition, names: names) }
        for data in documents.data { add(data) }
        for volume in documents.volumes { add(volume: volume) }
        for book in documents.isbndbBooks { if let record = ISBNdbRecord(recorded: book) { add(record) } }
    }

    private mutating func add(searchDocument document: JSONValue) {
        guard let title = document["title"]?.text, let key = document["key"]?.text else { return }
        update(workFor: key.hasPrefix("/") ? key : "/works/\(key)", otherwise: CatalogWork(key: key, title: title)) {
            guard $0.recordedSearchDocument == nil else { return }
            $0.authorNames = document["author_name"]?.texts ?? []
            for text in document["isbn"]?.texts ?? [] { $0.isbns.appendNew(ISBN(text)) }
            $0.firstYear = document["first_publish_year"]?.integer
            $0.recordedSearchDocument = document
        }
    }

    private mutating func add(work: JSONValue, names: [String: String]) {
        guard let key = work["key"]?.text, let title = work["title"]?.text else { return }
        update(workFor: key, otherwise: CatalogWork(key: key, title: title)) {
            guard $0.document == nil else { return }
            $0.document = { work }
            $0.authorKeys = (work["authors"]?.elements ?? []).compactMap { $0["author"]?["key"]?.text }
            if $0.recordedSearchDocument == nil { $0.authorNames = $0.authorKeys.compactMap { names[$0] } }
            $0.firstYear = work["first_publish_date"]?.text.flatMap(CatalogDate.year)
            $0.subjects = work["subjects"]?.texts ?? []
            $0.coverID = work["covers"]?.elements.compactMap(\.integer).first { $0 > 0 }
        }
    }

    private mutating func add(edition: JSONValue, names: [String: String]) {
        let record = RecordedEdition(document: edition, authorNames: names)
        guard let entry = record.record else { return }
        add(entry)
        guard let key = entry.workKey else { return }
        update(workFor: key, otherwise: CatalogWork(key: key, title: record.title)) {
            for isbn in entry.isbns { $0.isbns.appendNew(isbn) }
            $0.editionKeys.appendNew(entry.key)
            if entry.title != $0.title { $0.otherTitles.appendNew(entry.title) }
            $0.coverID = $0.coverID ?? entry.coverID
            if $0.authorKeys.isEmpty { $0.authorKeys = record.authorKeys }
            if $0.authorNames.isEmpty { $0.authorNames = record.authorKeys.compactMap { names[$0] } }
        }
    }

    private mutating func add(_ data: RecordedDocuments.BookData) {
        if let record = RecordedBookData(data)?.record { add(record) }
    }

    private mutating func add(volume: JSONValue) {
        guard let id = volume["id"]?.text, let facts = volume["volumeInfo"] else { return }
        let identifiers = (facts["industryIdentifiers"]?.elements ?? []).compactMap { $0["identifier"]?.text }
        add(
            VolumeRecord(
                id: id, isbns: identifiers.compactMap { ISBN($0) }, title: facts["title"]?.text ?? "",
                authors: facts["authors"]?.texts ?? [], date: facts["publishedDate"]?.text, document: { volume }))
    }
}
