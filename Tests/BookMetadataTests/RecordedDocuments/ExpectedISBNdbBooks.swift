/// What each recorded book of ISBNdb says, read by eye.
/// Columns: identifier, ISBN-13s, title, authors, date, pages, language; `-` where the document says nothing.
enum ExpectedISBNdbBooks {
    static let facts = RecordedFact.table(
        """
        # books
        - | 9780134093413 | Campbell Biology (11th Edition) | Lisa A. Urry; Michael L. Cain; Steven A. Wasserman; Peter V. Minorsky; \
        Jane B. Reece | 2017 | 1488 | en
        - | 9781338878929 | Harry Potter and the Sorcerer's Stone | J.K. Rowling | 1998-09 | 309 | en
        - | 9780000001566 | 教えます！花嫁衣装 のトレンドニュース | Orvig; Glen Martin; Ron Jenson | 2015 | - | en
        - | 9780000002259 | 確定申告、住宅ローン控除とは？ | 田中 卓也 | - | - | en
        """)
}
