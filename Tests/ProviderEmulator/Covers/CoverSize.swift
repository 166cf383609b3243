/// The sizes of Open Library's cover files, and what the other hosts have instead.
enum CoverSize: String, Sendable {
    case small = "S"
    case medium = "M"
    case large = "L"

    /// In pixels.
    var width: Int {
        switch self {
        case .small: 40
        case .medium: 180
        case .large: 480
        }
    }

    var height: Int { width * 3 / 2 }

    /// The size of Google's `zoom`.
    init(zoom: String?) {
        switch zoom {
        case "5": self = .small
        case "3", "0", "4", "6": self = .large
        default: self = .medium
        }
    }
}
