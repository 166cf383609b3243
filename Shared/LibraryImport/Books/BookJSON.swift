package import BookstrackContract
import JSON
package import NIOCore

extension ImportedBook {
    /// Writes what ``JSONCoding`` would, in the same order, without the cost of a container: a library has tens of thousands of books.
    package func write(to json: inout ByteBuffer) {
        json.writeStaticString("{\"row\":")
        json.write(row)
        json.writeStaticString(",\"lineNumber\":")
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
            json.writeStaticString("}")
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
        if let owned { json.writeStaticString(owned ? ",\"owned\":true" : ",\"owned\":false") }
        json.write(",\"review\":", review)
        json.write(",\"notes\":", notes)
        writeRest(to: &json)
    }

    private func writeReadings(to json: inout ByteBuffer) {
        json.writeStaticString(",\"datesRead\":[")
        for (index, reading) in datesRead.enumerated() {
            json.writeStaticString(index == 0 ? "{" : ",{")
            json.write("\"start\":", reading.start)
            json.write(reading.start == nil ? "\"end\":" : ",\"end\":", reading.end)
            json.writeStaticString("}")
        }
        json.writeStaticString("]")
    }

    private func writeRest(to json: inout ByteBuffer) {
        json.writeStaticString(",\"raw\":{")
        for (index, cell) in raw.cells.enumerated() {
            if index > 0 { json.writeStaticString(",") }
            JSONString.write(cell.column, to: &json)
            json.write(":", cell.text)
        }
        json.writeStaticString("},\"remarks\":[")
        for (index, remark) in remarks.enumerated() {
            json.write(index == 0 ? "{\"code\":" : ",{\"code\":", remark.code.rawValue)
            json.write(",\"column\":", remark.column)
            json.writeStaticString("}")
        }
        json.writeStaticString("],\"duplicateRows\":[")
        for (index, row) in duplicateRows.enumerated() {
            if index > 0 { json.writeStaticString(",") }
            json.write(row)
        }
        json.writeStaticString("]")
        json.write(",\"confidence\":", hundredths: confidence)
        json.writeStaticString(success ? ",\"success\":true}" : ",\"success\":false}")
    }
}

extension ImportedIDs {
    fileprivate func write(to json: inout ByteBuffer) {
        json.writeStaticString(",\"ids\":{")
        let members: [(StaticString, String?)] = [
            ("\"goodreadsBookId\":", goodreadsBookId), ("\"librarythingId\":", librarythingId),
            ("\"openLibraryWork\":", openLibraryWork), ("\"openLibraryEdition\":", openLibraryEdition),
            ("\"asin\":", asin), ("\"googleVolumeId\":", googleVolumeId),
        ]
        var isFirst = true
        for (name, id) in members where id != nil {
            if !isFirst { json.writeStaticString(",") }
            json.write(name, id)
            isFirst = false
        }
        json.writeStaticString("}")
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ number: Int) { writeString(String(number)) }

    /// Writes a member's name with the marks around it, and its text; nothing without a text.
    fileprivate mutating func write(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        writeStaticString(name)
        JSONString.write(text, to: &self)
    }

    fileprivate mutating func write(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        writeStaticString(name)
        write(number)
    }

    /// Writes a number of at most two decimal places.
    fileprivate mutating func write(_ name: StaticString, hundredths number: Double) {
        writeStaticString(name)
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        write(whole)
        guard rest > 0 else { return }
        writeStaticString(rest < 10 ? ".0" : ".")
        write(rest.isMultiple(of: 10) ? rest / 10 : rest)
    }

    fileprivate mutating func write(_ name: StaticString, _ texts: [String]) {
        writeStaticString(name)
        writeStaticString("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { writeStaticString(",") }
            JSONString.write(text, to: &self)
        }
        writeStaticString("]")
    }
}
