/// A file type recognized by the file's first bytes, whatever type the client declares.
package enum FileSignature: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, bmp, tiff, heif
    case zip, gzip, pdf
    /// The container of old Excel files ([MS-CFB] §2.2).
    case compoundFile
    case elf
    /// A Windows program.
    case portableExecutable
    case sqlite
    /// Text documents that are not tables: some applications name a web page `.xls`.
    case html, rtf, xml

    /// Number of bytes at the start of a file that are examined.
    package static let length = 256

    /// The type identified by the start of a file; nil for other text and for anything unknown.
    package init?(_ beginning: some Collection<UInt8>) {
        let start = Array(beginning.prefix(Self.length))
        let found = Self.allCases.first { $0.matches(start) }
        guard let found else { return nil }
        self = found
    }

    /// The type in words, for messages.
    package var name: String {
        switch self {
        case .jpeg: "a JPEG image"
        case .png: "a PNG image"
        case .gif: "a GIF image"
        case .webp: "a WebP image"
        case .bmp: "a BMP image"
        case .tiff: "a TIFF image"
        case .heif: "a HEIF image"
        case .zip: "a ZIP archive or an Excel workbook"
        case .gzip: "a gzip archive"
        case .pdf: "a PDF document"
        case .compoundFile: "an Excel workbook"
        case .elf, .portableExecutable: "a program"
        case .sqlite: "an SQLite database"
        case .html: "a web page"
        case .rtf: "an RTF document"
        case .xml: "an XML document"
        }
    }

    /// Explains that such a file cannot be read as a library, and how to export one that can.
    package var libraryRefusal: String {
        "This is \(name), not a CSV file. In a spreadsheet, choose File > Save As (or Download) and select CSV UTF-8. In a book app, look "
            + "for Export in the settings: Goodreads, StoryGraph, LibraryThing and others can export CSV files."
    }

    private func matches(_ start: [UInt8]) -> Bool {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: bytes) }
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            has(Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)), at: offset)
        }
        func opens(_ openings: [String]) -> Bool {
            let text = Self.text(start)
            return openings.contains { text.starts(with: $0.utf8) }
        }
        return switch self {
        case .jpeg: ImageType(beginning: start) == .jpeg
        case .png: ImageType(beginning: start) == .png
        case .gif: has("GIF87a") || has("GIF89a")
        case .webp: ImageType(beginning: start) == .webp
        // Text could start with these two letters, but the header's reserved bytes are zero.
        case .bmp: has("BM") && has([0, 0, 0, 0], at: 6)
        case .tiff: has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A])
        case .heif: ImageType(beginning: start) == .heif
        case .zip: has([0x50, 0x4B, 0x03, 0x04]) || has([0x50, 0x4B, 0x05, 0x06])
        case .gzip: has([0x1F, 0x8B])
        case .pdf: has("%PDF-")
        case .compoundFile: has([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
        case .elf: has([0x7F, 0x45, 0x4C, 0x46])
        // Text could start with these two letters, but contains no zero bytes.
        case .portableExecutable: has("MZ") && start.prefix(Self.length).contains(0)
        case .sqlite: has("SQLite format 3\0")
        case .html: opens(["<!doctype", "<!--", "<html", "<head", "<meta", "<table"])
        case .rtf: opens(["{\\rtf"])
        case .xml: opens(["<?xml"])
        }
    }

    /// The start of a UTF-8 or UTF-16 text, in lower case, without a byte order mark or leading white space.
    private static func text(_ start: [UInt8]) -> ArraySlice<UInt8> {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        let mark = marks.first { start.starts(with: $0) } ?? []
        let letters = start.dropFirst(mark.count).filter { $0 != 0 }
        return letters.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
            .drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
    }
}
