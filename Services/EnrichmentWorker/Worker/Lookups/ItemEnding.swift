import BookstrackContract

/// What became of a claimed item.
enum ItemEnding {
    /// It has its outcome; a code when that is a failure.
    case finished(ItemErrorCode?)
    /// It goes back to the host undone.
    case released
    /// It is no longer wanted.
    case withdrawn

    var result: String {
        switch self {
        case .finished(nil): "succeeded"
        case .finished: "failed"
        case .released: "released"
        case .withdrawn: "withdrawn"
        }
    }

    var code: ItemErrorCode? { if case .finished(let code) = self { code } else { nil } }

    var isCancelled: Bool { if case .withdrawn = self { true } else { false } }
}
