import BookstrackContract

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
