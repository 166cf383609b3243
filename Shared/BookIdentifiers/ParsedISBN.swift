/// What a text said: the number, how it was written, and what had to be repaired (metadata.md "ISBN").
package struct ParsedISBN: Hashable, Sendable {
    /// The number.
    package let isbn: ISBN
    /// The written form that the text had, after its repair.
    package let form: ISBNForm
    /// What had to be repaired; `nil` when the text was accepted as it stood.
    package let repair: ISBNRepair?
}
