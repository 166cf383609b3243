/// The kinds of pictures that are served, told by their first bytes and not by what a host calls them; the raw value is the media
/// type.
package enum PictureType: String, Codable, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"

    /// Bytes that tell the kind.
    package static let prefixLength = 12

    /// - Parameter bytes: A picture's first ``prefixLength`` bytes, or more.
    /// - Returns: nil for anything else.
    package init?(beginning bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.prefixLength))
        func has(_ signature: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: signature) }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
            self = .gif
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else {
            return nil
        }
    }
}
