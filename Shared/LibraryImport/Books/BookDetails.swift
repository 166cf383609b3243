import BookstrackContract

/// Fills in a book's fields other than ``IdentifyingFields``, and the series if there is a column for it.
struct BookDetails {
    let reader: RowReader
    let row: RowCells
    let decisions: FileDecisions

    private var columns: RowColumns { reader.columns }

    func fill(_ book: inout ImportedBook, _ memories: inout CellMemories) {
        if row.hasProblems || row.count > reader.plan.columns.count { remarkShape(&book) }
        fillEdition(&book, &memories)
        fillReadings(&book)
        book.shelves = words(columns.shelves, &memories)
        book.tags = words(columns.tags, &memories)
        fillStatus(&book, &memories)
        fillRating(&book)
        fillTexts(&book)
        if book.remarks.count > RowLimits.words { book.remarks.removeLast(book.remarks.count - RowLimits.words) }
    }

    private func remark(_ code: ImportRemark.Code, _ column: RowColumns.Column?, _ book: inout ImportedBook) {
        book.remarks.append(ImportRemark(code, column: column.map { reader.names[$0.index] }))
    }

    private func isEmpty(_ column: RowColumns.Column?) -> Bool { column.map { row.isEmpty($0.index) } ?? true }

    private func remarkShape(_ book: inout ImportedBook) {
        if row.count > reader.plan.columns.count { book.remarks.append(ImportRemark(.raggedRow)) }
        for problem in row.problems {
            let code: ImportRemark.Code =
                switch problem.kind {
                case .textAfterQuote: .textAfterQuote
                case .unclosedQuote: .unclosedQuote
                case .encodingRepaired: .encodingRepaired
                case .undecodable: .textUndecodable
                }
            book.remarks.append(
                ImportRemark(code, column: problem.column < reader.names.count ? reader.names[problem.column] : nil))
        }
    }

    // MARK: Edition

    private func fillEdition(_ book: inout ImportedBook, _ memories: inout CellMemories) {
        book.subtitle = field(columns.subtitle)
        book.publisher = columns.publisher?.rule == .publication ? publication() : field(columns.publisher)
        book.publicationYear = year(columns.publicationYear, &book) ?? year(columns.publicationDate, &book)
        book.originalYear = year(columns.originalYear, &book)
        book.pageCount = number(columns.pageCount, &book)
        if book.pageCount == 0 { book.pageCount = nil }
        book.language = text(columns.language)
        for column in columns.formats where book.format == nil && !isEmpty(column) {
            book.format = memories.formats.reading(of: reader.cell(row, column)) { cell in
                EditionFormat(rawValue: cell.text) ?? BindingWords.format(cell.text)
            }
        }
        if let column = columns.series, !isEmpty(column) {
            let cell = text(column) ?? ""
            let series = column.rule == .plain ? ImportedSeries(name: cell) : SeriesNotation.column(cell)
            if let series, !series.name.isEmpty { book.series = series }
        }
        if !isEmpty(columns.position), book.series != nil, book.series?.position == nil {
            book.series?.position = SeriesNotation.place(text(columns.position) ?? "")
        }
    }

    private func text(_ column: RowColumns.Column?) -> String? {
        guard !isEmpty(column) else { return nil }
        let whole = reader.line(row, column)
        let line = RowLimits.cut(whole, to: RowLimits.line) ?? whole
        return line.isEmpty || (!reader.isOwnFormat && CellText.isPlaceholder(line)) ? nil : line
    }

    /// A cell's text without the mark that a library catalog puts at its end.
    private func field(_ column: RowColumns.Column?) -> String? {
        text(column).map { reader.isOwnFormat ? $0 : CatalogPunctuation.withoutMark($0) }
    }

    /// Returns the publisher from LibraryThing's `Gallimard (1979), Poche`; nil if it is unknown.
    private func publication() -> String? {
        guard let text = text(columns.publisher) else { return nil }
        let end = text.firstRange(of: " (")?.lowerBound ?? text.firstRange(of: ", ")?.lowerBound ?? text.endIndex
        let name = String(text[..<end])
        return name == "Publisher Unknown" || name.isEmpty ? nil : name
    }

    private func year(_ column: RowColumns.Column?, _ book: inout ImportedBook) -> Int? {
        guard !isEmpty(column) else { return nil }
        let cell = reader.cell(row, column)
        if let year = CellNumber.year(cell) { return year }
        let value = CellText.value(cell)
        let isUnknown = value.isEmpty || value == "0" || CellDate.read(value, order: .dayFirst) == .none
        if !isUnknown { remark(.yearUnreadable, column, &book) }
        return nil
    }

    private func number(_ column: RowColumns.Column?, _ book: inout ImportedBook) -> Int? {
        guard !isEmpty(column) else { return nil }
        let cell = reader.cell(row, column)
        if let number = CellNumber.count(cell) { return number }
        if !CellText.value(cell).isEmpty { remark(.numberUnreadable, column, &book) }
        return nil
    }

    // MARK: Reading

    private func fillReadings(_ book: inout ImportedBook) {
        book.datesRead = readings(columns.dateRead, &book)
        if book.datesRead.isEmpty { book.datesRead = readings(columns.dateReadFallback, &book) }
        if let start = day(columns.dateStarted, &book) {
            if book.datesRead.isEmpty {
                book.datesRead = [ReadingDates(start: start)]
            } else if book.datesRead.count == 1, book.datesRead[0].start == nil {
                book.datesRead[0].start = start
            }
        }
        if book.datesRead.count > 1 { book.datesRead = book.datesRead.inOrder }
        book.dateAdded = day(columns.dateAdded, &book)
        book.readCount = number(columns.readCount, &book)
        guard !isEmpty(columns.owned) else { return }
        let cell = reader.cell(row, columns.owned)
        if columns.owned?.rule == .copies {
            book.owned = (CellNumber.count(cell) ?? 0) > 0 ? true : nil
        } else {
            book.owned = CellNumber.flag(cell) ?? CellNumber.count(cell).map { $0 > 0 }
        }
    }

    private func readings(_ column: RowColumns.Column?, _ book: inout ImportedBook) -> [ReadingDates] {
        guard !isEmpty(column) else { return [] }
        let list = ReadingList.read(reader.cell(row, column), order: decisions.dateOrder)
        if list.hasUnreadable { remark(.dateUnreadable, column, &book) }
        if list.hasAmbiguous { remark(.dateAmbiguous, column, &book) }
        return Array(list.readings.prefix(RowLimits.readings))
    }

    private func day(_ column: RowColumns.Column?, _ book: inout ImportedBook) -> String? {
        guard !isEmpty(column) else { return nil }
        switch CellDate.read(reader.cell(row, column), order: decisions.dateOrder) {
        case .none: return nil
        case .date(let date): return date.iso
        case .ambiguous(let year):
            remark(.dateAmbiguous, column, &book)
            return String(year)
        case .unreadable:
            remark(.dateUnreadable, column, &book)
            return nil
        }
    }

    /// Fills in the status and, except in the suite's own file, removes the shelves that stand for it. A word in the status column that is not a
    /// status names a shelf. If something else determines the status, the word is added to the book's shelves, because the status column of the
    /// suite's own CSV has room for either the status or the word.
    private func fillStatus(_ book: inout ImportedBook, _ memories: inout CellMemories) {
        readStatus(&book, &memories)
        let shelf = book.status == nil ? book.statusRaw : nil
        readWishlistAndCollection(&book)
        if book.status == nil { book.status = impliedStatus(of: book, &memories) }
        guard let status = book.status else { return }
        if !book.shelves.isEmpty, !reader.isOwnFormat {
            book.shelves.removeAll { memories.status(ofShelf: $0) == status }
        }
        if let shelf, memories.status(ofShelf: shelf) != status { book.addShelf(shelf) }
    }

    private func readStatus(_ book: inout ImportedBook, _ memories: inout CellMemories) {
        guard let column = columns.status, !isEmpty(column) else { return }
        if column.rule == .readFlag {
            if let text = text(column) { readFlag(text, &book) }
        } else {
            (book.statusRaw, book.status) = memories.statuses.reading(of: reader.cell(row, column)) { _ in
                guard let text = text(column) else { return (nil, nil) }
                // The word for a status may be one of the suite's own or one used by an application.
                return (text, ReadingStatus(rawValue: text) ?? StatusWords.status(text))
            }
            if book.status == nil, let text = book.statusRaw { readDatedStatus(text, column, &book) }
            // The shelf's name replaces its identifier. Whether it implies a status is decided as in a file without statuses.
            if column.rule == .shelfIdentifier, book.status == nil, let name = book.shelves.first {
                book.statusRaw = name
            }
        }
    }

    /// Reads a status with a date: the end of a reading, or its start if the book is being read.
    private func readDatedStatus(_ cell: String, _ column: RowColumns.Column, _ book: inout ImportedBook) {
        guard let (status, date) = StatusWords.dated(cell, order: decisions.dateOrder) else { return }
        book.status = status
        guard status == .read || status == .reading, book.datesRead.isEmpty else { return }
        if case .ambiguous = date { remark(.dateAmbiguous, column, &book) }
        guard let day = date.day else { return }
        book.datesRead = [status == .read ? ReadingDates(end: day) : ReadingDates(start: day)]
    }

    private func readWishlistAndCollection(_ book: inout ImportedBook) {
        if !isEmpty(columns.wishlist), CellNumber.flag(reader.cell(row, columns.wishlist)) == true {
            book.status = .wishlist
        }
        if let column = columns.collection, !isEmpty(column) {
            let word = FoldedText.fold(reader.cell(row, column).text)
            if word == "in collection" {
                book.owned = true
            } else if book.status == nil {
                book.status = StatusWords.status(word)
            }
        }
    }

    /// The status that the book's shelves, reading dates and read count imply; nil if they imply none. Shelves count only in a file without a status
    /// column, or with one that may contain identifiers of shelves. A shelf for the state of the reading takes precedence over the dates, because an
    /// abandoned book or one to be read again may have dates. Shelves for owned books and wishes do not, because such a book may have been read.
    private func impliedStatus(of book: borrowing ImportedBook, _ memories: inout CellMemories) -> ReadingStatus? {
        let hasStatuses = columns.status.map { $0.rule != .shelfIdentifier } ?? false
        let shelved = hasStatuses ? [] : book.shelves.compactMap { memories.status(ofShelf: $0) }
        if let state = shelved.first(where: { $0 != .owned && $0 != .wishlist }) { return state }
        let hasEnd = book.datesRead.contains { $0.end != nil }
        return hasEnd || (book.readCount ?? 0) >= 1 ? .read : shelved.first
    }

    /// Reads a cell that indicates whether the book has the status of its column: yes or no, a date, or a word for a status.
    private func readFlag(_ cell: String, _ book: inout ImportedBook) {
        if let flag = CellNumber.flag(cell) {
            if flag { book.status = columns.flaggedStatus }
        } else if case .date(let date) = CellDate.read(cell, order: decisions.dateOrder), date.month != nil {
            book.status = columns.flaggedStatus
            if book.status == .read, book.datesRead.isEmpty { book.datesRead = [ReadingDates(end: date.iso)] }
        } else {
            (book.status, book.statusRaw) = (StatusWords.status(cell), cell)
        }
    }

    private func fillRating(_ book: inout ImportedBook) {
        guard !isEmpty(columns.rating) else { return }
        let cell = reader.cell(row, columns.rating)
        switch CellRating.read(cell, scale: decisions.ratingScale) {
        case .none: return
        case .rating(let rating): book.rating = rating
        case .unreadable: remark(.ratingUnreadable, columns.rating, &book)
        }
        let line = CellText.line(cell)
        book.ratingRaw = RowLimits.cut(line, to: 64) ?? line
    }

    // MARK: Words and strings

    /// The distinct words of several columns, up to the limit for one row.
    private func words(_ columns: [RowColumns.Column], _ memories: inout CellMemories) -> [String] {
        var distinct = DistinctWords()
        for column in columns where !row.isEmpty(column.index) && !distinct.isFull {
            distinct.add(words(column, &memories))
        }
        return distinct.words
    }

    private func words(_ column: RowColumns.Column, _ memories: inout CellMemories) -> DistinctWords {
        let cell = reader.cell(row, column)
        if column.rule == .single {
            var name = DistinctWords()
            for word in RowLimits.cut([CellText.line(cell)]) where !word.isEmpty { name.add(word) }
            return name
        }
        let isOwnFormat = reader.isOwnFormat
        return memories.words.reading(of: cell) { cell in
            let words = isOwnFormat ? WordList.ownEntries(cell.text) : WordList.words(cell)
            var distinct = DistinctWords()
            for word in RowLimits.cut(words) { distinct.add(word) }
            return distinct
        }
    }

    private func fillTexts(_ book: inout ImportedBook) {
        if !isEmpty(columns.review) { book.review = prose(columns.review, &book) }
        if !columns.notes.isEmpty { book.notes = notes(&book) }
        let others = columns.others
        let unread = reader.isOwnFormat ? [] : unreadColumns(book)
        if !others.isEmpty || !unread.isEmpty {
            let kept = unread.isEmpty ? others : (others + unread).sorted()
            let raw = reader.rawCells(row, columns: kept, restoring: reader.isOwnFormat)
            book.raw = raw.cells
            for column in raw.cut { book.remarks.append(ImportRemark(.textCut, column: reader.names[column])) }
        }
    }

    /// The columns with a role whose cells are kept unchanged, because no other member of the results can express them: the position of a book
    /// without a series, an unknown format such as "Folio Society", and text in the ownership column that states neither ownership nor a number.
    private func unreadColumns(_ book: borrowing ImportedBook) -> [Int] {
        var unread: [Int] = []
        if book.series == nil, let position = columns.position, !row.isEmpty(position.index) {
            unread.append(position.index)
        }
        if book.format == nil { unread += columns.formats.lazy.filter { text($0) != nil }.map(\.index) }
        if book.owned == nil, let owned = columns.owned, text(owned) != nil,
            CellNumber.count(reader.cell(row, owned)) == nil
        {
            unread.append(owned.index)
        }
        return unread
    }

    /// The notes of all columns, separated by empty lines; together, they have the limit of a single column.
    private func notes(_ book: inout ImportedBook) -> String? {
        let notes = columns.notes.compactMap { column in
            row.isEmpty(column.index) ? nil : prose(column, &book).map { (column: column, text: $0) }
        }
        guard notes.count > 1, let last = notes.last else { return notes.first?.text }
        let whole = notes.map(\.text).joined(separator: "\n\n")
        guard let kept = RowLimits.cut(whole, to: RowLimits.prose) else { return whole }
        let cut = ImportRemark(.textCut, column: reader.names[last.column.index])
        if !book.remarks.contains(cut) { book.remarks.append(cut) }
        return kept
    }

    private func prose(_ column: RowColumns.Column?, _ book: inout ImportedBook) -> String? {
        let cell = reader.cell(row, column)
        var text = reader.isOwnFormat ? cell.text : CellText.prose(cell)
        // Book Catalogue escapes line breaks.
        if reader.plan.format == .bookCatalogue { text = text.components(between: #"\n"#).joined(separator: "\n") }
        guard let kept = RowLimits.cut(text, to: RowLimits.prose) else { return text.isEmpty ? nil : text }
        remark(.textCut, column, &book)
        return kept
    }
}
