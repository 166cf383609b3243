extension AuthorName {
    /// Whether both are the same name in full: the same letters in the same order, however they are parted into words,
    /// so that "J.R.R." is "JRR" and "LeGuin" is "Le Guin".
    func isSpelled(like other: AuthorName) -> Bool { words.joined() == other.words.joined() }

    /// Whether one name spells out initials of the other: "J. R. R. Tolkien" and "John Ronald Reuel Tolkien".
    ///
    /// At least two given names are needed, as "J. Smith" may be anybody.
    func agreesByInitials(with other: AuthorName) -> Bool {
        words.count > 2 && words.count == other.words.count && words.last == other.words.last
            && zip(words.dropLast(), other.words.dropLast()).allSatisfy { ours, theirs in
                ours == theirs || (min(ours.count, theirs.count) == 1 && ours.first == theirs.first)
            }
    }
}
