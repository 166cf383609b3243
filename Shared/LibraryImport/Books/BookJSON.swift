package import BookstrackContract
package import NIOCore

extension ImportedBook {
    /// The JSON that ``JSONCoding`` would write, with its members in the same order, but without the cost of coding containers, because a library may
    /// have tens of thousands of books.
    package var json: ByteBuffer {
        var json = JSONText(capacity: 1_024)
        write(to: &json)
        return json.copy(first: json.count)
    }

    func write(to json: inout JSONText) {
        json.write(json: "{\"row\":")
        json.write(row)
        json.write(json: ",\"lineNumber\":")
        json.write(lineNumber)
        json.write(",\"title\":", title)
        json.write(",\"author\":", author)
        json.write(",\"authors\":", authors)
        json.write(",\"isbn\":", isbn)
        json.write(",\"isbn10\":", isbn10)
        json.write(",\"isbn13\":", isbn13)
        json.write(",\"isbnRepair\":", isbnRepair)
        ids.write(to: &json)
        if let series {
            json.write(",\"series\":{\"name\":", series.name)
            json.write(",\"position\":", series.position)
            json.write(json: "}")
        }
        json.write(",\"subtitle\":", subtitle)
        json.write(",\"publisher\":", publisher)
        json.write(",\"publicationYear\":", publicationYear)
        json.write(",\"originalYear\":", originalYear)
        json.write(",\"pageCount\":", pageCount)
        json.write(",\"language\":", language)
        json.write(",\"format\":", format?.rawValue)
        json.write(",\"status\":", status?.rawValue)
        json.write(",\"statusRaw\":", statusRaw)
        json.write(",\"shelves\":", shelves)
        json.write(",\"tags\":", tags)
        if let rating { json.write(",\"rating\":", hundredths: rating) }
        json.write(",\"ratingRaw\":", ratingRaw)
        writeReadings(to: &json)
        json.write(",\"dateAdded\":", dateAdded)
        json.write(",\"readCount\":", readCount)
        if let owned { json.write(json: owned ? ",\"owned\":true" : ",\"owned\":false") }
        json.write(",\"review\":", review)
        json.write(",\"notes\":", notes)
        writeRest(to: &json)
    }

    private func writeReadings(to json: inout JSONText) {
        json.write(json: ",\"datesRead\":[")
        for (index, reading) in datesRead.enumerated() {
            json.write(json: index == 0 ? "{" : ",{")
            json.write("\"start\":", reading.start)
            json.write(reading.start == nil ? "\"end\":" : ",\"end\":", reading.end)
            json.write(json: "}")
        }
        json.write(json: "]")
    }

    private func writeRest(to json: inout JSONText) {
        json.write(json: ",\"raw\":{")
        for (index, cell) in raw.cells.enumerated() {
            if index > 0 { json.write(json: ",") }
            json.write(cell.column)
            json.write(":", cell.text)
        }
        json.write(json: "},\"remarks\":[")
        for (index, remark) in remarks.enumerated() {
            json.write(index == 0 ? "{\"code\":" : ",{\"code\":", remark.code.rawValue)
            json.write(",\"column\":", remark.column)
            json.write(json: "}")
        }
        json.write(json: "],\"duplicateRows\":[")
        for (index, row) in duplicateRows.enumerated() {
            if index > 0 { json.write(json: ",") }
            json.write(row)
        }
        json.write(json: "]")
        json.write(",\"confidence\":", hundredths: confidence)
        json.write(json: success ? ",\"success\":true}" : ",\"success\":false}")
    }
}

extension ImportedIDs {
    fileprivate func write(to json: inout JSONText) {
        json.write(json: ",\"ids\":{")
        var isFirst = true
        func write(_ name: StaticString, _ id: String?) {
            guard let id else { return }
            if !isFirst { json.write(json: ",") }
            json.write(name, id)
            isFirst = false
        }
        write("\"goodreadsBookId\":", goodreadsBookId)
        write("\"librarythingId\":", librarythingId)
        write("\"openLibraryWork\":", openLibraryWork)
        write("\"openLibraryEdition\":", openLibraryEdition)
        write("\"asin\":", asin)
        write("\"googleVolumeId\":", googleVolumeId)
        json.write(json: "}")
    }
}

extension JSONText {
    /// Writes a member's name, its punctuation and its text; writes nothing for nil.
    @inline(__always)
    fileprivate mutating func write(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        write(json: name)
        write(text)
    }

    @inline(__always)
    fileprivate mutating func write(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        write(json: name)
        write(number)
    }

    /// Writes a non-negative number, rounded to two decimal places.
    fileprivate mutating func write(_ name: StaticString, hundredths number: Double) {
        write(json: name)
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        write(whole)
        guard rest > 0 else { return }
        write(json: rest < 10 ? ".0" : ".")
        write(rest.isMultiple(of: 10) ? rest / 10 : rest)
    }

    fileprivate mutating func write(_ name: StaticString, _ texts: [String]) {
        write(json: name)
        write(json: "[")
        for (index, text) in texts.enumerated() {
            if index > 0 { write(json: ",") }
            write(text)
        }
        write(json: "]")
    }
}
