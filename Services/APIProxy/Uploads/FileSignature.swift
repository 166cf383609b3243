internal import ImageFiles

/// A file type recognised by its first bytes, whatever type the client declares.
enum FileSignature: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, bmp, tiff, heif
    case zip, gzip, pdf
    /// The container of old Excel files ([MS-CFB] §2.2).
    case compoundFile
    case elf
    /// A Windows program.
    case portableExecutable
    case sqlite

    /// Number of bytes needed to recognise a type.
    static let length = 64

    /// The type that the start of a file identifies; nil for text and for anything unknown.
    init?(_ beginning: some Collection<UInt8>) {
        let start = Array(beginning.prefix(Self.length))
        let found = Self.allCases.first { $0.matches(start) }
        guard let found else { return nil }
        self = found
    }

    /// The type in words, for messages.
    var name: String {
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
        }
    }

    private func matches(_ start: [UInt8]) -> Bool {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: bytes) }
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            has(Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)), at: offset)
        }
        return switch self {
        case .jpeg: ImageType(beginning: start) == .jpeg
        case .png: ImageType(beginning: start) == .png
        case .gif: has("GIF87a") || has("GIF89a")
        case .webp: ImageType(beginning: start) == .webp
        // A text could start with these two letters, but the reserved bytes of the header are zero.
        case .bmp: has("BM") && has([0, 0, 0, 0], at: 6)
        case .tiff: has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A])
        case .heif: ImageType(beginning: start) == .heif
        case .zip: has([0x50, 0x4B, 0x03, 0x04]) || has([0x50, 0x4B, 0x05, 0x06])
        case .gzip: has([0x1F, 0x8B])
        case .pdf: has("%PDF-")
        case .compoundFile: has([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
        case .elf: has([0x7F, 0x45, 0x4C, 0x46])
        // A text could start with these two letters, but has no zero bytes.
        case .portableExecutable: has("MZ") && start.prefix(Self.length).contains(0)
        case .sqlite: has("SQLite format 3\0")
        }
    }
}
