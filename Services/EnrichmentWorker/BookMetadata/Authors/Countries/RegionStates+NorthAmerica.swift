import BookstrackContract

extension RegionStates {
    /// Northern and Central America of M49, Mexico with it.
    static let northAmerica = RegionStates(
        region: .northAmerica,
        states: """
            Q242 Belize
            Q23635 Bermuda
            Q16 Canada
            Q800 Costa Rica
            Q792 El Salvador
            Q223 Greenland
            Q774 Guatemala
            Q783 Honduras
            Q96 Mexico
            Q811 Nicaragua
            Q804 Panama
            Q34617 Saint Pierre and Miquelon
            Q30 United States
            """,
        forms: """
            Q2935756 Canada
            Q285658 Mexico
            Q371334 Mexico
            Q1109279 Mexico
            Q5062192 Mexico
            Q214102 United States
            """,
        dissolved: """
            Q794210 Aztec Empire
            Q2608489 Aztec Empire
            Q258532 British America + Caribbean
            Q17557 California Republic
            Q81931 Confederate States of America
            Q190025 Federal Republic of Central America
            Q170604 New France
            Q382593 New Netherland
            Q170603 New Spain + Asia, Caribbean
            Q38610 Newfoundland
            Q170588 Texas
            Q179997 Thirteen Colonies
            """)
}
