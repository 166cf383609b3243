import BookstrackContract

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
