import BookstrackContract

extension RegionStates {
    /// Africa of the UN geoscheme M49, Egypt and Sudan with it.
    static let africa = RegionStates(
        region: .africa,
        states: """
            Q262 Algeria
            Q916 Angola
            Q962 Benin
            Q963 Botswana
            Q43448 British Indian Ocean Territory
            Q965 Burkina Faso
            Q967 Burundi
            Q1009 Cameroon
            Q1011 Cape Verde
            Q929 Central African Republic
            Q657 Chad
            Q970 Comoros
            Q974 Democratic Republic of the Congo
            Q977 Djibouti
            Q79 Egypt
            Q983 Equatorial Guinea
            Q986 Eritrea
            Q1050 Eswatini
            Q115 Ethiopia
            Q129003 French Southern and Antarctic Lands
            Q1000 Gabon
            Q1005 Gambia
            Q117 Ghana
            Q1006 Guinea
            Q1007 Guinea-Bissau
            Q1008 Ivory Coast
            Q114 Kenya
            Q1013 Lesotho
            Q1014 Liberia
            Q1016 Libya
            Q1019 Madagascar
            Q1020 Malawi
            Q912 Mali
            Q1025 Mauritania
            Q1027 Mauritius
            Q17063 Mayotte
            Q1028 Morocco
            Q1029 Mozambique
            Q1030 Namibia
            Q1032 Niger
            Q1033 Nigeria
            Q971 Republic of the Congo
            Q1037 Rwanda
            Q17070 Réunion
            Q40362 Sahrawi Arab Democratic Republic
            Q192184 Saint Helena, Ascension and Tristan da Cunha
            Q1041 Senegal
            Q1042 Seychelles
            Q1044 Sierra Leone
            Q1045 Somalia
            Q34754 Somaliland
            Q258 South Africa
            Q958 South Sudan
            Q1049 Sudan
            Q1039 São Tomé and Príncipe
            Q924 Tanzania
            Q945 Togo
            Q948 Tunisia
            Q1036 Uganda
            Q6250 Western Sahara
            Q953 Zambia
            Q954 Zimbabwe
            """,
        forms: """
            Q2208280 Angola
            Q798431 Benin
            Q862701 Benin
            Q747314 Botswana
            Q797422 Burkina Faso
            Q1192936 Burundi
            Q1028848 Cameroon
            Q30744169 Cameroon
            Q60023785 Cameroon
            Q4393598 Cape Verde
            Q189988 Central African Republic
            Q76048 Democratic Republic of the Congo
            Q618399 Democratic Republic of the Congo
            Q6500954 Democratic Republic of the Congo
            Q124943 Egypt
            Q127861 Egypt
            Q370173 Egypt
            Q491507 Egypt
            Q3087763 Egypt
            Q1232988 Eritrea
            Q207521 Ethiopia
            Q940821 Ethiopia
            Q7735661 Gambia
            Q503623 Ghana
            Q5555325 Ghana
            Q6392538 Kenya
            Q2340665 Lesotho
            Q31454 Libya
            Q284568 Libya
            Q4843701 Libya
            Q1071439 Madagascar
            Q7784940 Madagascar
            Q6741448 Malawi
            Q3456487 Mali
            Q14759030 Mauritius
            Q457242 Morocco
            Q907234 Morocco
            Q12183875 Morocco
            Q617078 Mozambique
            Q953068 Namibia
            Q2046345 Nigeria
            Q3509510 Nigeria
            Q3511905 Nigeria
            Q5148517 Nigeria
            Q5440850 Nigeria
            Q1152126 Republic of the Congo
            Q889884 Rwanda
            Q14920623 Sierra Leone
            Q1477220 Somalia
            Q7559152 Somalia
            Q193619 South Africa
            Q370736 South Africa
            Q5866728 Sudan
            Q157904 Tanzania
            Q431731 Tanzania
            Q797214 Togo
            Q2017684 Tunisia
            Q4899891 Tunisia
            Q6412669 Tunisia
            Q7877575 Uganda
            Q217169 Zimbabwe
            Q750583 Zimbabwe
            Q890120 Zimbabwe
            """,
        dissolved: """
            Q139377 Aksum
            Q199688 Almohad Empire + Europe
            Q75613 Almoravid Empire + Europe
            Q11768 Ancient Egypt
            Q177819 Ancient Egypt
            Q180568 Ancient Egypt
            Q191324 Ancient Egypt
            Q178469 Biafra
            Q1028835 British Cameroons
            Q473748 Buganda
            Q2429397 Carthage
            Q160307 Fatimid Caliphate + Middle East
            Q654342 Federation of Rhodesia and Nyasaland
            Q153963 German East Africa
            Q752662 Hafsid Tunis
            Q796583 Kongo
            Q184536 Mali Empire
            Q216632 Mali Federation
            Q282428 Mamluk Sultanate + Middle East
            Q582861 Marinid Morocco
            Q102679 Numidia
            Q218023 Orange Free State
            Q2320005 Ptolemaic Kingdom
            Q590743 Ruanda-Urundi
            Q600524 Sokoto Caliphate
            Q202687 Songhai Empire
            Q550374 South African Republic
            Q170468 United Arab Republic + Middle East
            Q729768 Zulu Kingdom
            """)
}
