/// What had to be done to a text so that it is a number; the check digit proves the result (metadata.md "ISBN").
package enum ISBNRepair: Hashable, Sendable {
    /// A spreadsheet read an ISBN-10 as a number and dropped this many zeros at its front.
    case lostLeadingZeros(count: Int)
    /// A nine-character Standard Book Number, the British form before ISO 2108: one zero makes it an ISBN-10.
    case sbn
    /// Words or other numbers stood beside the number, which is the first valid one.
    case partOfCell

    /// A stable name for reports and tables.
    package var name: String {
        switch self {
        case .lostLeadingZeros: "lost_leading_zeros"
        case .sbn: "sbn"
        case .partOfCell: "part_of_cell"
        }
    }

    /// What was done, in a sentence for the person who gave the number.
    package var sentence: String {
        switch self {
        case .lostLeadingZeros(count: 1): "One lost leading zero was put back."
        case .lostLeadingZeros(let count): "\(count) lost leading zeros were put back."
        case .sbn: "The nine-digit SBN was completed to an ISBN-10 with a leading zero."
        case .partOfCell: "The first valid number was used, and what stood beside it left out."
        }
    }
}
