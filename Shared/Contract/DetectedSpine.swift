/// The text that an engine read from one spine in a photo (scans.md "Engines"). Strings are as printed on the spine and are not trusted.
public struct DetectedSpine: Codable, Sendable, Equatable {
    /// All text on the spine, if the engine does not separate title and author; lines are separated by line feeds.
    public var text: String?
    /// The title, if the engine separates it from the author.
    public var title: String?
    /// The author, if the engine separates it from the title.
    public var author: String?
    /// A number that may be an ISBN, as the engine read it.
    public var isbn: String?
    /// Whether the number was read from a barcode. A number from a barcode cannot have been invented by a model.
    public var isBarcode: Bool
    /// Position of the spine in the photo.
    public var box: BoundingBox
    /// Confidence from 0 to 1; 0 if the engine specified none.
    public var confidence: Double
    /// The identity of the book according to the text: equal for spines with the same title and author, which count as one book until they have been
    /// looked up.
    public var identity: String?

    /// Creates a reading.
    public init(
        text: String? = nil, title: String?, author: String?, isbn: String?, isBarcode: Bool = false, box: BoundingBox,
        confidence: Double
    ) {
        self.text = text
        self.title = title
        self.author = author
        self.isbn = isbn
        self.isBarcode = isBarcode
        self.box = box
        self.confidence = confidence
    }

    /// The text that stands for the book until it is found: its title, otherwise all words on the spine, otherwise the number.
    public var displayTitle: String { title ?? words ?? isbn ?? "" }

    /// The lines of ``text``, joined into one; nil without a text.
    public var words: String? { text?.split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// The query for the lookup. Its title consists of all words on the spine if title and author are not separated.
    public var query: BookQuery {
        BookQuery(title: title ?? words, author: author, isbn: isbn).fitting
    }
}

/// A part of a photo, in fractions of the photo's displayed width and height, measured from its top left corner (scans.md "Results"). The box is
/// given in both forms that clients read: a corner with a size, and two corners.
public struct BoundingBox: Codable, Sendable, Equatable {
    /// Left edge, 0 to 1.
    public var x: Double
    /// Upper edge, 0 to 1.
    public var y: Double
    /// Width as a fraction of the photo's width.
    public var width: Double
    /// Height as a fraction of the photo's height.
    public var height: Double
    /// The same as `x`.
    public var x1: Double
    /// The same as `y`.
    public var y1: Double
    /// Right edge, 0 to 1.
    public var x2: Double
    /// Lower edge, 0 to 1.
    public var y2: Double

    /// The whole photo, for a spine without a box.
    public static let whole = BoundingBox(x1: 0, y1: 0, x2: 1, y2: 1)

    /// Creates a box from two corners, in any order; parts outside the photo are cut off.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        let (x1, y1) = (Self.clamped(x1), Self.clamped(y1))
        let (x2, y2) = (Self.clamped(x2), Self.clamped(y2))
        (self.x1, self.x2) = (min(x1, x2), max(x1, x2))
        (self.y1, self.y2) = (min(y1, y2), max(y1, y2))
        (x, y) = (self.x1, self.y1)
        (width, height) = (Self.clamped(self.x2 - self.x1), Self.clamped(self.y2 - self.y1))
    }

    /// Clamps a coordinate to 0...1 and rounds it to four decimal places, with an error of at most 0.2 pixels in a photo 4 000 pixels wide; 0 if it
    /// is not finite.
    private static func clamped(_ value: Double) -> Double {
        value.isFinite ? (min(max(value, 0), 1) * 10_000).rounded() / 10_000 : 0
    }
}

/// Why a photo could not be read (scans.md "Failures").
public struct PhotoFault: Error, Codable, Sendable, Equatable {
    /// Code of the `error` frame if the whole job fails.
    public var code: FrameErrorCode
    /// Text for users.
    public var message: String
    /// Whether reading the photo again may succeed.
    public var isRetryable: Bool

    /// Creates a fault.
    public init(_ code: FrameErrorCode, _ message: String, isRetryable: Bool) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable
    }
}
