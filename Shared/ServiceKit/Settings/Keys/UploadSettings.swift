// Settings of uploads and library imports.

import BookstrackContract

extension SettingKey where Value == Int {
    package static var maxImportBytes: Self {
        SettingKey(
            "BOOKSTRACK_MAX_IMPORT_BYTES", .integer(1...(1 << 30), unit: "bytes"), default: 10 << 20,
            "Maximum size of an imported library file")
    }

    package static var maxImportRows: Self {
        SettingKey(
            "BOOKSTRACK_MAX_IMPORT_ROWS", .integer(1...1_000_000, unit: "rows"), default: 50_000,
            "Maximum rows of an imported library file")
    }

    /// The maximum total size of uploads: at least twice the size of the largest scan, which must fit into the half that photos of finished scans
    /// cannot use. `Settings.load` also requires at least twice ``maxImportBytes``.
    package static var maxUploadBytesTotal: Self {
        SettingKey(
            "BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL",
            .integer((2 * ScanLimit.photos * ScanLimit.photoBytes)...(1 << 50), unit: "bytes"), default: 4 << 30,
            "Maximum total size of uploaded files that are arriving or whose jobs are open; photos from finished scans use at most half of it"
        )
    }
}

extension SettingCatalog {
    static let uploads: [SettingDeclaration] = [
        SettingKey.maxImportBytes.declaration, SettingKey.maxImportRows.declaration,
        SettingKey.maxUploadBytesTotal.declaration,
    ]
}
