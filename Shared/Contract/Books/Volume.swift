/// A book as clients of the deprecated searches read it.
public struct Volume: Codable, Sendable, Equatable {
    /// Always "books#volume".
    public var kind: String
    /// Google's volume identifier, else Open Library's edition or work key, else an ISBN.
    public var id: String
    /// What is known of the book.
    public var volumeInfo: VolumeInfo

    /// Makes a volume.
    public init(id: String, volumeInfo: VolumeInfo) {
        kind = "books#volume"
        self.id = id
        self.volumeInfo = volumeInfo
    }
}
