/// The boxes of a HEIF file (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12 §6).
struct HEIFFile {
    struct Box {
        let name: String
        let range: Range<Int>
        let content: ByteReader
    }

    /// Maximum number of boxes within a box, and so of items and of properties; no camera writes this many.
    private static let maxBoxes = 4_096
    private static let keptBoxes: Set<String> = ["ftyp", "meta", "mdat", "free", "skip", "wide"]

    private let file: ByteReader

    init(_ file: [UInt8]) { self.file = ByteReader(file) }

    func header() throws(ImageFault) -> (width: Int, height: Int, orientation: ImageOrientation) {
        let meta = try metaBoxes()
        guard let properties = meta["iprp"], let primary = meta["pitm"] else { throw .malformed }
        let parts = try boxes(in: properties.content)
        guard let container = parts.first(where: { $0.name == "ipco" }) else { throw .malformed }
        let known = try boxes(in: container.content)
        let item = try HEIFItems.primary(primary.content)
        var size: (width: Int, height: Int)?
        var orientation = ImageOrientation.upright
        for association in parts where association.name == "ipma" {
            for index in try HEIFItems.properties(of: item, association.content)
            where known.indices.contains(index - 1) {
                let property = known[index - 1]
                let start = property.content.range.lowerBound
                switch property.name {
                case "ispe":
                    size = (
                        try property.content.number(at: start + 4, 4), try property.content.number(at: start + 8, 4)
                    )
                // Quarter turns counterclockwise.
                case "irot":
                    orientation = orientation.turned(quarters: -(try property.content.number(at: start, 1) & 3))
                // 0 swaps top and bottom; 1 swaps left and right.
                case "imir":
                    let isLeftToRight = try property.content.number(at: start, 1) & 1 == 1
                    orientation = orientation.thenMirrored().turned(quarters: isLeftToRight ? 0 : 2)
                default: break
                }
            }
        }
        guard let size else { throw .malformed }
        return (size.width, size.height, orientation)
    }

    /// The file with empty metadata. Removed data is overwritten, mostly with zeros, so offsets in the file remain valid.
    func withoutMetadata() throws(ImageFault) -> [ImageFilePiece] {
        let all = try boxes(in: file)
        var emptied = all.filter { !Self.keptBoxes.contains($0.name) }.map { Emptied(range: $0.content.range) }
        let meta = try metaBoxes()
        if let items = meta["iinf"], let locations = meta["iloc"] {
            // Contents must be inside these boxes; otherwise, zeros would overwrite more than metadata.
            let places =
                all.filter { $0.name == "mdat" }.map(\.content.range) + [meta["idat"]?.content.range].compactMap(\.self)
            for (types, start) in Self.metadataItems {
                let wanted = try HEIFItems.items(of: types, items.content) { part throws(ImageFault) in
                    try boxes(in: part)
                }
                let data = meta["idat"]?.content
                for range in try HEIFItems.extents(of: wanted, locations.content, in: file, data: data) {
                    guard places.contains(where: { $0.contains(range) }) else { throw .malformed }
                    emptied.append(Emptied(range: range, start: start))
                }
            }
        }
        return try Self.pieces(of: file.range.upperBound, emptied: emptied)
    }

    /// Types of metadata items, and the first bytes of an emptied item. Decoders reject invalid EXIF metadata, so an emptied EXIF item contains valid
    /// metadata, after a number that gives its offset (ISO/IEC 23008-12 Annex A.2.1).
    private static let metadataItems: [(types: Set<String>, start: [UInt8])] = [
        (["Exif"], [0, 0, 0, 0] + ImageOrientation.upright.exif), (["mime", "uri "], []),
    ]

    private func metaBoxes() throws(ImageFault) -> [String: Box] {
        guard let meta = try boxes(in: file, upTo: "meta").last, meta.name == "meta" else { throw .cutOff }
        let start = meta.content.range.lowerBound
        // The version and flags come first.
        let found = try boxes(in: try meta.content.part(at: start + 4, count: meta.content.range.count - 4))
        return Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The boxes in a part of the file.
    ///
    /// - Parameter last: Name of the last box to read, because later ones may not have been read from the file yet; nil for all boxes.
    private func boxes(in part: ByteReader, upTo last: String? = nil) throws(ImageFault) -> [Box] {
        var found: [Box] = []
        var offset = part.range.lowerBound
        while offset < part.range.upperBound, found.last?.name != last || last == nil {
            var length = try part.number(at: offset, 4)
            var head = 8
            if length == 1 { (length, head) = (try part.number(at: offset + 8, 8), 16) }
            if length == 0 { length = part.range.upperBound - offset }
            guard length >= head, found.count < Self.maxBoxes else { throw .malformed }
            let name = try part.name(at: offset + 4)
            let content = try part.part(at: offset + head, count: length - head)
            found.append(Box(name: name, range: offset..<content.range.upperBound, content: content))
            offset = content.range.upperBound
        }
        return found
    }

    /// Overwrites a range with `start` followed by zeros; `start` is omitted if it does not fit.
    private struct Emptied {
        let range: Range<Int>
        var start: [UInt8] = []
    }

    private static func pieces(of length: Int, emptied: [Emptied]) throws(ImageFault) -> [ImageFilePiece] {
        var pieces: [ImageFilePiece] = []
        var offset = 0
        for part in emptied.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where part.range.upperBound > offset {
            let place = max(offset, part.range.lowerBound)
            let isStartFitting = place == part.range.lowerBound && part.start.count <= part.range.count
            let start = isStartFitting ? part.start : []
            try pieces.add(.kept(offset..<place))
            try pieces.add(.written(start))
            try pieces.add(.zeros(part.range.upperBound - place - start.count))
            offset = part.range.upperBound
        }
        try pieces.add(.kept(offset..<length))
        return pieces
    }
}
