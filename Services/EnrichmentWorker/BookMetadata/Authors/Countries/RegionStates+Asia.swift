import BookstrackContract

extension RegionStates {
    /// Eastern, south-eastern and southern Asia of M49, Iran excepted.
    static let asia = RegionStates(
        region: .asia,
        states: """
            Q889 Afghanistan
            Q902 Bangladesh
            Q917 Bhutan
            Q921 Brunei
            Q424 Cambodia
            Q148 China
            Q8646 Hong Kong
            Q668 India
            Q252 Indonesia
            Q17 Japan
            Q819 Laos
            Q14773 Macau
            Q833 Malaysia
            Q826 Maldives
            Q711 Mongolia
            Q836 Myanmar
            Q837 Nepal
            Q423 North Korea
            Q843 Pakistan
            Q928 Philippines
            Q334 Singapore
            Q884 South Korea
            Q854 Sri Lanka
            Q865 Taiwan
            Q869 Thailand
            Q574 Timor-Leste
            Q881 Vietnam
            """,
        forms: """
            Q427941 Afghanistan
            Q476757 Afghanistan
            Q1138904 Afghanistan
            Q1335260 Afghanistan
            Q1415128 Afghanistan
            Q1415585 Afghanistan
            Q330988 Cambodia
            Q867778 Cambodia
            Q1054184 Cambodia
            Q5066 China
            Q7183 China
            Q7209 China
            Q7313 China
            Q7462 China
            Q8733 China
            Q9683 China
            Q9903 China
            Q29520 China
            Q34756 China
            Q35216 China
            Q49696 China
            Q49697 China
            Q175379 China
            Q274488 China
            Q319460 China
            Q320930 China
            Q504769 China
            Q551067 China
            Q696242 China
            Q736936 China
            Q837855 China
            Q912068 China
            Q1065073 China
            Q1072949 China
            Q1147037 China
            Q12060881 China
            Q13426199 China
            Q1054923 Hong Kong
            Q1775277 India
            Q523435 Indonesia
            Q188712 Japan
            Q205662 Japan
            Q870055 Laos
            Q1320058 Laos
            Q976099 Malaysia
            Q1400154 Malaysia
            Q1479726 Malaysia
            Q11344632 Maldives
            Q212056 Mongolia
            Q2475921 Mongolia
            Q704358 Myanmar
            Q2376315 Myanmar
            Q7233551 Myanmar
            Q1078602 Nepal
            Q2006542 Pakistan
            Q146328 Philippines
            Q1361989 Philippines
            Q2027229 Philippines
            Q5870215 Philippines
            Q233263 South Korea
            Q487687 South Korea
            Q488521 South Korea
            Q491559 South Korea
            Q2670092 Sri Lanka
            Q137816 Taiwan
            Q1081620 Thailand
            Q1155700 Thailand
            Q172640 Vietnam
            Q180573 Vietnam
            Q701337 Vietnam
            Q878276 Vietnam
            Q878309 Vietnam
            Q6500483 Vietnam
            """,
        dissolved: """
            Q3149991 Ancient India
            Q248705 Awadh
            Q841364 Ayutthaya
            Q4083686 Bengal Sultanate
            Q129286 British India
            Q2001966 British India
            Q112660052 British India
            Q871091 British Malaya
            Q151148 Chola Empire
            Q229411 Delhi Sultanate
            Q467627 Durrani Empire
            Q188161 Dutch East Indies
            Q646374 French India
            Q185682 French Indochina
            Q249578 Ghaznavid Empire + Middle East
            Q11774 Gupta Empire
            Q1240096 Hyderabad State
            Q1530762 Kandy
            Q18097 Korea
            Q28179 Korea
            Q28208 Korea
            Q28233 Korea
            Q28456 Korea
            Q503585 Korea
            Q49326 Majapahit
            Q30623 Manchukuo
            Q83618 Maratha Empire
            Q62943 Maurya Empire
            Q12557 Mongol Empire + Central Asia, Middle East, Europe
            Q33296 Mughal Empire
            Q266923 Mysore
            Q28025 Ryukyu Kingdom
            Q83572 Sikh Empire
            Q3960459 Sikkim
            Q17252 Tibet
            Q2431480 Tibet
            Q2444884 Tibet
            Q150058 Travancore
            Q167639 Vijayanagara Empire
            """)
}
