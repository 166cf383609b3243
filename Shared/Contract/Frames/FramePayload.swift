/// What a `ServerFrame` can carry; each payload repeats the frame's type, which older decoders read there.
public protocol FramePayload: Codable, Sendable, Equatable {
    /// The frame's type.
    var type: FrameType { get }
}
