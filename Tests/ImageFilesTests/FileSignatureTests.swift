import Testing
@testable import ImageFiles

@Suite("File types by their first bytes") struct FileSignatureTests {
    @Test(
        "binary files are recognized",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF89a".utf8), .gif), (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
            (Array("BM".utf8) + [1, 2, 3, 4, 0, 0, 0, 0], .bmp), ([0x49, 0x49, 0x2A, 0x00], .tiff),
            ([0, 0, 0, 0x18] + Array("ftypheic".utf8), .heif), (Array("PK\u{3}\u{4}".utf8), .zip),
            (Array("PK\u{5}\u{6}".utf8), .zip), ([0x1F, 0x8B, 8], .gzip), (Array("%PDF-1.7".utf8), .pdf),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .compoundFile), ([0x7F] + Array("ELF".utf8), .elf),
            (Array("MZ".utf8) + [0x90, 0, 3, 0], .portableExecutable), (Array("SQLite format 3\0".utf8), .sqlite),
        ] as [([UInt8], FileSignature)])
    func known(start: [UInt8], signature: FileSignature) {
        #expect(FileSignature(start + [UInt8](repeating: 7, count: 100)) == signature)
    }

    @Test(
        "texts that start like files of other types are not mistaken for them",
        arguments: [
            "", "P", "BM,Title\r\nBMW,1\r\n", "MZ;Titre;Auteur\n", "GIF,Title", "PK,Title", "%PDF", "RIFF,WEBP,1",
            "SQLite format 3,Title", "Title,Author\r\n", "{\"1\":{\"title\":\"Dune\"}}", "\u{FEFF}Title",
            "<<<<<<< HEAD\nTitle,Author", "<Title>,Author", "{rtf},Title",
        ])
    func texts(text: String) {
        #expect(FileSignature(Array(text.utf8)) == nil)
    }

    @Test(
        "document formats that are written as text are recognized",
        arguments: [
            ("<!DOCTYPE html><html>", .html), ("\u{FEFF}\r\n  <HTML xmlns:o=\"urn:x\">", .html),
            ("<table><tr><td>Title", .html), ("<!-- saved from url=(0023) -->", .html), ("{\\rtf1\\ansi", .rtf),
            ("<?xml version=\"1.0\"?><Workbook>", .xml), (String(repeating: "\n", count: 100) + "<html>", .html),
        ] as [(String, FileSignature)])
    func documents(text: String, signature: FileSignature) {
        #expect(FileSignature(Array(text.utf8)) == signature)
        let wide = [0xFEFF] + text.utf16.drop { $0 == 0xFEFF }
        #expect(FileSignature(wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }) == signature)
    }

    @Test("the message for a file that is not a library names its type and explains how to export a library")
    func refusal() {
        #expect(FileSignature.html.libraryRefusal.hasPrefix("This is a web page, not a CSV file. In a spreadsheet,"))
    }

    @Test("UTF-16 text that starts with MZ is not mistaken for a program")
    func wide() {
        for bytes in [[0xFF, 0xFE, 0x4D, 0x00, 0x5A, 0x00], [0x4D, 0x00, 0x5A, 0x00], [0x00, 0x4D, 0x00, 0x5A]]
            as [[UInt8]]
        {
            #expect(FileSignature(bytes) == nil)
        }
    }
}
