/// What an engine has read on one spine of a photo (scans.md "Engines"). Texts are as printed there, and not to be trusted.
public struct DetectedSpine: Codable, Sendable, Equatable {
    /// Everything on the spine, if the engine does not separate title and author: its lines, separated by line feeds.
    public var text: String?
    /// Title.
    public var title: String?
    /// Author.
    public var author: String?
    /// A number that may be an ISBN, as the engine read it.
    public var isbn: String?
    /// Whether the number comes from a barcode, which no model can invent.
    public var isBarcode: Bool
    /// Where the spine is.
    public var box: BoundingBox
    /// From 0 to 1; 0 when the engine gave none.
    public var confidence: Double
    /// Equal for spines with the same text, which count as one book until they are looked up.
    public var identity: String?

    /// Makes a reading.
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

    /// What to call the book before it is found.
    public var displayTitle: String { title ?? words ?? isbn ?? "" }

    /// The lines of ``text`` joined to one.
    public var words: String? { text?.split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// What is looked up: the title, or all words of a spine whose title and author are not separated.
    public var query: BookQuery {
        BookQuery(
            title: (title ?? words).map(BookQuery.titleLimit.fit), author: author.map(BookQuery.authorLimit.fit),
            isbn: isbn.map(BookQuery.isbnLimit.fit))
    }
}

/// A part of a photo as fractions of its displayed width and height, from its top left corner (scans.md "Results"). Carries both forms that
/// clients read.
public struct BoundingBox: Codable, Sendable, Equatable {
    /// Left edge, 0 to 1.
    public var x: Double
    /// Upper edge, 0 to 1.
    public var y: Double
    /// Share of the photo's width.
    public var width: Double
    /// Share of the photo's height.
    public var height: Double
    /// The same as `x`.
    public var x1: Double
    /// The same as `y`.
    public var y1: Double
    /// Right edge.
    public var x2: Double
    /// Lower edge.
    public var y2: Double

    /// The whole photo, for a spine without a box.
    public static let whole = BoundingBox(x1: 0, y1: 0, x2: 1, y2: 1)

    /// A box between two corners, in any order; what lies outside the photo is cut off.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        let (x1, y1) = (Self.share(x1), Self.share(y1))
        let (x2, y2) = (Self.share(x2), Self.share(y2))
        (self.x1, self.x2) = (min(x1, x2), max(x1, x2))
        (self.y1, self.y2) = (min(y1, y2), max(y1, y2))
        (x, y) = (self.x1, self.y1)
        (width, height) = (Self.share(self.x2 - self.x1), Self.share(self.y2 - self.y1))
    }

    /// Four decimals are a fifth of a pixel of a large photo.
    private static func share(_ value: Double) -> Double {
        value.isFinite ? (min(max(value, 0), 1) * 10_000).rounded() / 10_000 : 0
    }
}

/// Why a photo could not be read (scans.md "Failures").
public struct PhotoFault: Error, Codable, Sendable, Equatable {
    /// Code of the frame if the whole job fails.
    public var code: FrameErrorCode
    /// A sentence for users.
    public var message: String
    /// Whether reading the photo again may succeed.
    public var isRetryable: Bool

    /// Makes a fault.
    public init(_ code: FrameErrorCode, _ message: String, isRetryable: Bool) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable
    }
}
