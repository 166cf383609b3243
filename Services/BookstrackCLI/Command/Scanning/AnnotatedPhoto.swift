import BookstrackContract
import Foundation
import ImageFiles

/// A photo with a numbered box around each book, as SVG (w3.org/TR/SVG2): green for approved books, dashed orange for books to review.
///
/// The file embeds the photo, so it can be moved, and leaves out metadata such as the location, so it can be shared.
struct AnnotatedPhoto {
    /// A box and its number in the results.
    struct Box {
        var number: Int
        var book: ScannedBook
    }

    private let photo: PhotoUpload.Photo
    private let header: ImageHeader
    private let image: [UInt8]
    private let boxes: [Box]

    /// Creates the drawing of boxes on a photo; nil if the photo cannot be read.
    init?(_ photo: PhotoUpload.Photo, boxes: [Box]) {
        let file = [UInt8](photo.bytes)
        guard let header = try? ImageHeader(file), let pieces = try? ImageMetadata.removal(from: file) else {
            return nil
        }
        self.photo = photo
        self.header = header
        image = pieces.joined(from: file)
        self.boxes = boxes
    }

    var svg: String {
        let (width, height) = header.shownSize
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
            <title>\(Self.escaped(photo.name))</title>
            <image width="\(header.width)" height="\(header.height)"\(turn) href="data:\(photo.type.mediaType);base64,\
            \(Data(image).base64EncodedString())"/>
            <g font-family="sans-serif" font-weight="bold" font-size="\(textSize)" fill="white" text-anchor="middle">
            \(boxes.map(element).joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    private var textSize: Int { max(10, max(header.width, header.height) / 45) }

    /// Rotates the stored pixels to the orientation in which the photo is displayed. Some viewers apply the orientation in the file and some do not.
    /// Therefore, `image-orientation:none` tells viewers to ignore it, and the transform rotates the photo instead. A HEIF file is not rotated: its
    /// orientation is a property of the image itself.
    private var turn: String {
        let (width, height) = (header.width, header.height)
        let matrix: [Int]
        switch header.orientation {
        case _ where header.type == .heif: return ""
        case .upright: return ""
        case .mirrored: matrix = [-1, 0, 0, 1, width, 0]
        case .turnedHalf: matrix = [-1, 0, 0, -1, width, height]
        case .mirroredTurnedHalf: matrix = [1, 0, 0, -1, 0, height]
        case .mirroredTurnedLeft: matrix = [0, 1, 1, 0, 0, 0]
        case .turnedRight: matrix = [0, 1, -1, 0, height, 0]
        case .mirroredTurnedRight: matrix = [0, -1, -1, 0, height, width]
        case .turnedLeft: matrix = [0, -1, 1, 0, 0, width]
        }
        let numbers = matrix.map(String.init).joined(separator: " ")
        return " style=\"image-orientation:none\" transform=\"matrix(\(numbers))\""
    }

    private func element(_ box: Box) -> String {
        let (width, height) = header.shownSize
        // The box comes from the server unchecked.
        func pixels(_ share: Double, _ whole: Int) -> Int { Int(nearest: min(max(share, 0), 1) * Double(whole)) }
        let place = box.book.boundingBox
        let (x, y) = (pixels(place.x, width), pixels(place.y, height))
        let (boxWidth, boxHeight) = (pixels(place.width, width), pixels(place.height, height))
        let isApproved = box.book.reviewStatus == .verified
        let (color, dashes) = isApproved ? ("#1a7f37", "") : ("#bc4c00", " stroke-dasharray=\"\(textSize / 2)\"")
        let radius = textSize * 3 / 4
        // The number stays inside the picture even if the box starts at its edge.
        let (centerX, centerY) = (min(max(x, radius), width - radius), min(max(y, radius), height - radius))
        let name = [box.book.title, box.book.author].filter { !$0.isEmpty }.joined(separator: ", ")
        return """
            <g><title>\(box.number): \(Self.escaped(name))\(isApproved ? "" : " (to review)")</title>\
            <rect x="\(x)" y="\(y)" width="\(boxWidth)" height="\(boxHeight)" fill="\(color)" fill-opacity="0.1" \
            stroke="\(color)" stroke-width="\(max(3, textSize / 5))"\(dashes)/>\
            <circle cx="\(centerX)" cy="\(centerY)" r="\(radius)" fill="\(color)"/>\
            <text x="\(centerX)" y="\(centerY)" dy="0.35em">\(box.number)</text></g>
            """
    }

    /// The text for XML 1.0, which allows few control characters: they become spaces.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF ? " " : String(scalar)
            }
        }.joined()
    }
}

/// The folder that annotated photos are written to.
struct AnnotationFolder {
    let url: URL

    /// Creates the folder. Throws `CommandFailure`.
    init(_ path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.cannotWrite, "cannot create \(path): \(CommandFailure.reason(of: error))")
        }
    }

    /// For each photo that could be read, writes a file named after the photo (`shelf.svg` for `shelf.png`), replacing an earlier file. If several
    /// photos would have the same file name, a number is added. Returns the paths.
    func write(_ photos: [PhotoUpload.Photo], _ results: ScanResults) throws -> [String] {
        let boxes = zip(1..., results.books).map(AnnotatedPhoto.Box.init)
        var taken: Set<String> = []
        return try results.photos.compactMap { shown in
            guard shown.status == .complete, photos.indices.contains(shown.index) else { return nil }
            let photo = photos[shown.index]
            guard let annotated = AnnotatedPhoto(photo, boxes: boxes.filter { $0.book.photoIndex == shown.index })
            else { return nil }
            let stem = URL(filePath: photo.name).deletingPathExtension().lastPathComponent
            var (name, number) = (stem, shown.index + 1)
            while !taken.insert(name).inserted {
                name = "\(stem)-\(number)"
                number += 1
            }
            let file = url.appending(path: "\(name).svg")
            do {
                try Data(annotated.svg.utf8).write(to: file, options: .atomic)
            } catch {
                throw CommandFailure(
                    .cannotWrite,
                    "cannot write \(file.path(percentEncoded: false)): \(CommandFailure.reason(of: error))")
            }
            return file.path(percentEncoded: false)
        }
    }
}
