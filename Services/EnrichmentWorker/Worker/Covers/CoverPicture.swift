import Foundation
import SuiteMethods

/// A picture as a host sent it.
struct CoverPicture: Sendable {
    let type: PictureType
    let content: Data

    /// - Returns: nil for anything but a picture, whatever type the host declares.
    init?(_ content: Data) {
        guard let type = PictureType(beginning: content) else { return nil }
        self.type = type
        self.content = content
    }

    /// Whether this is the GIF of a single point that Open Library shows for covers that it has not. Width and height are the two
    /// words after the signature (https://www.w3.org/Graphics/GIF/spec-gif89a.txt §18).
    var isStandIn: Bool { type == .gif && content.dropFirst(6).prefix(4).elementsEqual([1, 0, 1, 0]) }
}
