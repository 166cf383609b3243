import BookstrackContract

extension RegionStates {
    /// Oceania of M49.
    static let oceania = RegionStates(
        region: .oceania,
        states: """
            Q16641 American Samoa
            Q408 Australia
            Q31063 Christmas Island
            Q36004 Cocos (Keeling) Islands
            Q26988 Cook Islands
            Q712 Fiji
            Q30971 French Polynesia
            Q16635 Guam
            Q131198 Heard Island and McDonald Islands
            Q710 Kiribati
            Q709 Marshall Islands
            Q702 Micronesia
            Q697 Nauru
            Q33788 New Caledonia
            Q664 New Zealand
            Q34020 Niue
            Q31057 Norfolk Island
            Q16644 Northern Mariana Islands
            Q695 Palau
            Q691 Papua New Guinea
            Q35672 Pitcairn Islands
            Q683 Samoa
            Q685 Solomon Islands
            Q36823 Tokelau
            Q678 Tonga
            Q672 Tuvalu
            Q16645 United States Minor Outlying Islands
            Q686 Vanuatu
            Q35555 Wallis and Futuna
            """,
        forms: """
            Q5291089 Fiji
            Q752431 Vanuatu
            """,
        dissolved: """
            Q156418 Hawaii
            Q1057542 Hawaii
            Q941881 Netherlands New Guinea
            Q3028514 Tahiti
            """)
}

extension RegionStates {
    /// What belongs to no region: M49 gives Antarctica none.
    static let international = RegionStates(
        region: .international,
        states: """
            Q51 Antarctica
            """)
}
