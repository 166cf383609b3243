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

extension RegionStates {
    /// Central Asia of M49.
    static let centralAsia = RegionStates(
        region: .centralAsia,
        states: """
            Q232 Kazakhstan
            Q813 Kyrgyzstan
            Q863 Tajikistan
            Q874 Turkmenistan
            Q265 Uzbekistan
            """,
        forms: """
            Q130276 Kyrgyzstan
            """,
        dissolved: """
            Q487829 Chagatai Khanate
            Q746558 Emirate of Bukhara
            Q494354 Kara-Khanid Khanate
            Q1433867 Kazakh Khanate
            Q68682 Khanate of Bukhara
            Q577668 Khanate of Bukhara
            Q491106 Khanate of Khiva
            Q696241 Khanate of Kokand
            Q4453007 Khanate of Tashkent
            Q63134381 Khwarazmian Empire + Middle East
            Q12150341 Samanid Empire + Asia, Middle East
            Q484195 Timurid Empire + Asia, Middle East
            Q75903 Turkestan
            """)
}

extension RegionStates {
    /// Western Asia of M49 and Iran, without Cyprus and the three states of the Caucasus.
    static let middleEast = RegionStates(
        region: .middleEast,
        states: """
            Q398 Bahrain
            Q794 Iran
            Q796 Iraq
            Q801 Israel
            Q810 Jordan
            Q817 Kuwait
            Q822 Lebanon
            Q842 Oman
            Q219060 Palestine
            Q846 Qatar
            Q851 Saudi Arabia
            Q858 Syria
            Q43 Turkey
            Q878 United Arab Emirates
            Q805 Yemen
            """,
        forms: """
            Q207991 Iran
            Q877670 Iran
            Q18234383 Iran
            Q19276517 Iran
            Q63158027 Iran
            Q107258515 Iran
            Q14670 Iraq
            Q149805 Iraq
            Q3041595 Iraq
            Q3108185 Iraq
            Q1121819 Jordan
            Q130842 Lebanon
            Q108865218 Lebanon
            Q157734 Oman
            Q23792 Palestine
            Q146862 Saudi Arabia
            Q146871 Saudi Arabia
            Q956357 Saudi Arabia
            Q1756546 Saudi Arabia
            Q146880 Syria
            Q146885 Syria
            Q26234937 Syria
            Q2949827 Turkey
            Q1852345 United Arab Emirates
            Q49910 Yemen
            Q199841 Yemen
            Q580188 Yemen
            Q1998401 Yemen
            """,
        dissolved: """
            Q12536 Abbasid Caliphate + Africa, Central Asia, Asia
            Q389688 Achaemenid Empire + Africa, Central Asia
            Q230407 Ancient Israel
            Q3185305 Ancient Israel
            Q10914393 Assyria
            Q180114 Ayyubid Sultanate + Africa
            Q63135869 Ayyubid Sultanate + Africa
            Q47690 Babylonia
            Q624887 Babylonia
            Q273874 Buyid Empire
            Q139708 French Mandate for Syria and the Lebanon
            Q178084 Ilkhanate + Asia
            Q16000109 Judea
            Q55502 Kingdom of Jerusalem
            Q48685 Kingdom of Judah
            Q193714 Mandatory Palestine
            Q12560 Ottoman Empire + Europe, Africa
            Q1986139 Parthian Empire
            Q41642 Phoenicia
            Q12490507 Rashidun Caliphate + Africa
            Q15843470 Roman Palestine
            Q83891 Sasanian Empire
            Q93180 Seleucid Empire
            Q3708094 Seljuk Empire + Central Asia
            Q975405 Sultanate of Rum
            Q35355 Sumer
            Q8575586 Umayyad Caliphate + Africa, Europe
            """)
}
