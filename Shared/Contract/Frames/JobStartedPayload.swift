/// `job_started` (websocket.md "Payloads").
public struct JobStartedPayload: FramePayload {
    /// Always `job_started`.
    public var type: FrameType
    /// Items in all, under the contract's name.
    public var totalItems: Int
    /// The same number.
    public var totalCount: Int
    /// The same number.
    public var totalBooks: Int
    /// Expected milliseconds.
    public var estimatedDuration: Int
    /// Short neutral text.
    public var status: String

    /// Makes a payload.
    public init(totalCount: Int, estimatedDuration: Int, status: String) {
        type = .jobStarted
        totalItems = totalCount
        self.totalCount = totalCount
        totalBooks = totalCount
        self.estimatedDuration = estimatedDuration
        self.status = status
    }
}
