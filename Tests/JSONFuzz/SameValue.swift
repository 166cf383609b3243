import Foundation

/// Whether two values returned by `JSONSerialization` are equal, member by member.
func isSameValue(_ left: Any, _ right: Any) -> Bool {
    switch (left, right) {
    case (let left as String, let right as String):
        left == right
    case (let left as [String: Any], let right as [String: Any]):
        left.count == right.count
            && left.allSatisfy { name, value in right[name].map { isSameValue(value, $0) } ?? false }
    case (let left as [Any], let right as [Any]):
        left.count == right.count && zip(left, right).allSatisfy { isSameValue($0, $1) }
    case (let left as NSNumber, let right as NSNumber):
        left == right
    case (is NSNull, is NSNull):
        true
    default:
        false
    }
}
