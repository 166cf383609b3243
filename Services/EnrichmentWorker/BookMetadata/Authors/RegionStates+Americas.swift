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

extension RegionStates {
    /// The Caribbean of M49.
    static let caribbean = RegionStates(
        region: .caribbean,
        states: """
            Q25228 Anguilla
            Q781 Antigua and Barbuda
            Q21203 Aruba
            Q778 Bahamas
            Q244 Barbados
            Q25305 British Virgin Islands
            Q27561 Caribbean Netherlands
            Q5785 Cayman Islands
            Q241 Cuba
            Q25279 Curaçao
            Q784 Dominica
            Q786 Dominican Republic
            Q769 Grenada
            Q17012 Guadeloupe
            Q790 Haiti
            Q766 Jamaica
            Q17054 Martinique
            Q13353 Montserrat
            Q1183 Puerto Rico
            Q25362 Saint Barthélemy
            Q763 Saint Kitts and Nevis
            Q760 Saint Lucia
            Q126125 Saint Martin
            Q757 Saint Vincent and the Grenadines
            Q26273 Sint Maarten
            Q754 Trinidad and Tobago
            Q18221 Turks and Caicos Islands
            Q11703 United States Virgin Islands
            """,
        forms: """
            Q14905932 Cuba
            Q6123742 Dominican Republic
            Q861551 Haiti
            Q1472105 Haiti
            Q2006756 Haiti
            Q2150951 Haiti
            Q2979717 Haiti
            Q95408244 Haiti
            Q7842409 Trinidad and Tobago
            """,
        dissolved: """
            Q25227 Netherlands Antilles
            Q652560 West Indies Federation
            """)
}

extension RegionStates {
    /// South America of M49.
    static let southAmerica = RegionStates(
        region: .southAmerica,
        states: """
            Q414 Argentina
            Q750 Bolivia
            Q23408 Bouvet Island
            Q155 Brazil
            Q298 Chile
            Q739 Colombia
            Q736 Ecuador
            Q9648 Falkland Islands
            Q3769 French Guiana
            Q734 Guyana
            Q733 Paraguay
            Q419 Peru
            Q35086 South Georgia and the South Sandwich Islands
            Q730 Suriname
            Q77 Uruguay
            Q717 Venezuela
            """,
        forms: """
            Q738144 Argentina
            Q25413868 Bolivia
            Q210542 Brazil
            Q217230 Brazil
            Q2414171 Brazil
            Q11876909 Brazil
            Q929693 Chile
            Q630882 Colombia
            Q1061488 Colombia
            Q1141215 Colombia
            Q2249661 Colombia
            Q5622720 Guyana
            Q19901436 Suriname
            Q5848651 Venezuela
            Q21296156 Venezuela
            Q39501433 Venezuela
            """,
        dissolved: """
            Q221357 Dutch Brazil
            Q199821 Gran Colombia + North America
            Q28573 Inca Empire
            Q2077264 New Kingdom of Granada
            Q899706 Peru–Bolivian Confederation
            Q903779 United Kingdom of Portugal, Brazil and the Algarves + Europe
            Q211435 Viceroyalty of Peru
            Q210551 Viceroyalty of the Río de la Plata
            """)
}
