/// The facts of each recorded Open Library search result, read by hand. Columns: work key, number of ISBNs, title,
/// authors, first year, and two that only editions have; `-` for a missing value.
enum ExpectedOpenLibrarySearches {
    /// The facts by file name.
    static let facts = RecordedFact.table(
        """
        # jayfajardo_search.json
        OL27448W | 222 | The Lord of the Rings | J. R. R. Tolkien | 1954 | - | -
        OL27516W | 71 | The Lord of The Rings | J. R. R. Tolkien | 1955 | - | -
        OL262757W | 76 | The Lord of The Rings | J. R. R. Tolkien | 1966 | - | -
        OL15331214W | 65 | The Lord of The Rings | J. R. R. Tolkien | 1954 | - | -
        OL27507W | 22 | The Lord of the Rings | J. R. R. Tolkien | 1972 | - | -
        OL16245393W | 16 | The Lord of the Rings | J. R. R. Tolkien | 1991 | - | -
        OL16245392W | 10 | The Lord of the Rings | J. R. R. Tolkien | 1977 | - | -
        OL27494W | 12 | The Lord of the Rings | J. R. R. Tolkien | 1985 | - | -
        OL27449W | 2 | The Lord of the Rings | J. R. R. Tolkien | 2002 | - | -
        OL14933360W | 4 | The Fellowship of the Ring (Lord of the Rings | J. R. R. Tolkien | 1988 | - | -
        OL14926051W | 2 | The Lord of Rings | J. R. R. Tolkien | 1972 | - | -
        OL14933439W | 2 | Lord of the Rings, the | J. R. R. Tolkien | 1996 | - | -
        OL15331152W | 2 | The Lord of the Rings | J. R. R. Tolkien | 2002 | - | -
        OL14926055W | 2 | The Lord of the Rings | J. R. R. Tolkien | 1999 | - | -
        OL8997429W | 2 | Lord of the Rings | J. R. R. Tolkien | 1996 | - | -
        OL27493W | - | The Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL265321W | 2 | LORD OF THE RINGS BOXED SET | J. R. R. Tolkien | 2005 | - | -
        OL9085720W | 4 | The Lord of the Rings Trilogy | J. R. R. Tolkien | 1975 | - | -
        OL16245381W | 4 | The Lord of the Rings: The Two Towers | J. R. R. Tolkien | 2002 | - | -
        OL27453W | 2 | Poems from The lord of the rings | J. R. R. Tolkien | 1994 | - | -
        OL14926075W | 4 | The Return of the King (Lord of the Rings | J. R. R. Tolkien | 1981 | - | -
        OL262744W | 6 | The Lord of the Rings (The Two Towers) | J. R. R. Tolkien | 2002 | - | -
        OL14926004W | 2 | The History of the Lord of the Rings | J. R. R. Tolkien | 2000 | - | -
        OL14933435W | 2 | LORD OF THE RING SET PAP | J. R. R. Tolkien | 1978 | - | -
        OL14933438W | 2 | The Lord of the Rings (Spark Notes) | J. R. R. Tolkien | 2002 | - | -
        OL14933437W | 2 | The "Lord of the Rings" Sketchbook | J. R. R. Tolkien | 2005 | - | -
        OL14933529W | 2 | Vlastelin Kolec / Lord of the Rings | J. R. R. Tolkien | 2001 | - | -
        OL14933440W | 2 | The Lord of the Rings and The Hobbit | J. R. R. Tolkien | 2002 | - | -
        OL16466869W | 2 | The Lord of the Rings. Appendix | J. R. R. Tolkien | 2002 | - | -
        OL14933384W | 2 | Hobbit Lord of the Rings | J. R. R. Tolkien | 1979 | - | -
        OL14926061W | 2 | Lord of the Rings Set 1970 | J. R. R. Tolkien | 1970 | - | -
        OL14933488W | 2 | Ring Goes South Book Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL14926116W | 2 | THE WAR OF THE RING BEING THE FIFTH BOOK OF THE LORD OF THE RINGS | J. R. R. Tolkien | 1993 \
        | - | -
        OL14933489W | 2 | Ring Sets Out Book Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL14933487W | 2 | Ring Goes East Book Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL14933362W | 2 | The fellowship of the Ring - Part One of the Lord of the Rings Trilogy | J. R. R. Tolkien | \
        1977 | - | -
        OL14933358W | - | The Fellowship of the Ring, being the first part of the Lord of the Rings | J. R. R. \
        Tolkien | - | - | -
        OL9469205W | 2 | Tolkien 12 SW (Lord of Rings) | J. R. R. Tolkien | 1991 | - | -
        OL14926059W | 2 | The Lord of the Rings (Movie Art Cover) | J. R. R. Tolkien | 2001 | - | -
        OL14933436W | 2 | The Lord of the Rings (Mind's Eye Version) | J. R. R. Tolkien | 1994 | - | -
        OL14926063W | 2 | The Lord of the Rings Trilogy Gift Set | J. R. R. Tolkien | 2002 | - | -
        OL14933417W | 2 | La Silmarillon (Lord of the Rings (French)) | J. R. R. Tolkien | 2002 | - | -
        OL14933308W | 2 | Appendices Final Book Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL27440W | 2 | The filmbook of J. R. R. Tolkien's The lord of the rings | J. R. R. Tolkien | 1978 | - | -
        OL15333194W | - | The Hobbit and The Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL16245371W | - | Poems from the "Lord of the Rings" | J. R. R. Tolkien | - | - | -
        OL16245387W | - | The Hobbit and The Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL16290360W | - | The Hobbit and The Lord of the Rings | J. R. R. Tolkien | - | - | -
        OL16290352W | - | Poems from the "Lord of the Rings" | J. R. R. Tolkien | - | - | -
        OL27447W | 2 | Lord of the Rings Boxed Set U/P | J. R. R. Tolkien | 1981 | - | -
        OL264839W | 2 | The "Return of the King" Photo Guide ("Lord of the Rings") | J. R. R. Tolkien | 2003 | - | -
        OL14925995W | 2 | FELLOWSHIP OF RING (Eflkien, J. R. R. Lord of the Rings, Pt. 1.) | J. R. R. Tolkien | 1985 \
        | - | -
        OL14933324W | 2 | Comunidad del Anillo (Fellowship of the Ring) (Lord of the Rings (Spanish)) | J. R. R. \
        Tolkien | 2001 | - | -
        OL14933424W | 2 | Les Deux Tours II (Lord of the Rings (French)) | J. R. R. Tolkien | 2001 | - | -
        OL14926103W | 2 | The Treason of Isengard. Being the Third Book of The Lord of the Rings | J. R. R. Tolkien | \
        1994 | - | -
        OL8967674W | 2 | Bilbo, Le Hobbit (Lord of the Rings (French)) | J. R. R. Tolkien | 2000 | - | -
        OL14926057W | 2 | The Lord of the Rings Book and Bookend Gift Set | J. R. R. Tolkien | 2003 | - | -
        OL15331188W | 2 | The Lord of the Rings. Mit Interpretation. Diverse Umschlagfarben, unsortiert | J. R. R. \
        Tolkien | 2002 | - | -
        OL14926054W | 2 | The Lord of the Rings 25th Anniversary Edition | J. R. R. Tolkien | 1981 | - | -
        OL15133456W | - | The authorized edition of the famous fantasy trilogy of The lord of the rings | J. R. R. \
        Tolkien | 1965 | - | -
        OL8586739W | 2 | Der Herr Der Ringe (Lord of the Rings in German) vol.1 Die Gefahrten (Fellowship of the \
        Rings) | J. R. R. Tolkien | 2000 | - | -
        OL14926125W | 4 | The Lord of the Rings Official Movie Guide | J. R. R. Tolkien; Brian Sibley | 2001 | - | -
        OL27445W | 4 | Le Retour Du Roi III (Lord of the Rings (French)) | J. R. R. Tolkien | 1973 | - | -
        OL14933431W | 2 | Lord of Rings 1 Vol Pa 12c 2001 Mti | J. R. R. Tolkien | 2001 | - | -
        OL14933408W | 2 | J. R. R. Tolkien's Lord of the Rings (Modern Critical Interpretations) | J. R. R. Tolkien | \
        2000 | - | -
        OL14925991W | 2 | The End of the Third Age. Being the Sixth Book of the Lord of the Rings | J. R. R. Tolkien \
        | 1994 | - | -
        OL14933411W | 2 | La Communaute de L'Anneaux (Lord of the Rings (French)) | J. R. R. Tolkien | 2001 | - | -
        OL14933433W | 2 | The Lord of the Rings (Box Set) (J.R.R. Tolkien) | J. R. R. Tolkien | 1993 | - | -
        OL14926034W | 2 | Le Seigneur des Anneaux (French Edition of The Lord of the Rings) | J. R. R. Tolkien | 2000 \
        | - | -
        OL14933398W | 2 | Il Signore degli Anelli : Trilogia / Italian edition of The Lord of the Rings | J. R. R. \
        Tolkien | 2004 | - | -
        OL14933367W | 2 | The Hobbit, 1937. The Lord of the Rings, 1937!!!. The Silmarillion, 1977 (IN RUSSIAN \
        LANGUAGE) ( ) | J. R. R. Tolkien | 2004 | - | -
        OL14933432W | 2 | The Lord Of The Rings (Boxed Set) The Fellowship Of The Ring, The Two Towers, The Return Of \
        The King And The Hobbit | J. R. R. Tolkien | - | - | -
        OL3810841W | 2 | Der Herr Der Ringe (Lord of the Rings in German) vol.2 Die Zwei Turme (The Two Towers) | J. \
        R. R. Tolkien | 2002 | - | -
        OL8967677W | 3 | Il Signore degli Anelli : Le Due Torri / Italian edition of Lord of the Rings | J. R. R. \
        Tolkien | 2000 | - | -
        OL14926015W | 4 | Il Signore degli Anelli: 1: La Compagnia dell'anello / Italian edition of The Lord of the \
        Rings : 1 | J. R. R. Tolkien | 2000 | - | -
        OL14933456W | 2 | Mo jie shou bu qu: mo jie xian shen ('The Lord of the Rings: Fellowship of the Ring' in \
        Traditional Chinese Characters) | J. R. R. Tolkien | 2001 | - | -
        OL8967676W | 2 | Il Signore degli Anelli : Il Ritorno del Re / Italian edition of The Lord of the Rings | J. \
        R. R. Tolkien | 2003 | - | -
        OL14926016W | 2 | Il Signore degli Anelli : 2 : Le Due Torri / Italian edition of The Lord of the Rings : 2 | \
        J. R. R. Tolkien | 2002 | - | -
        OL14926017W | 2 | Il Signore degli Anelli: 3: Il Retorno del Re / Italian edition of The Lord of the Rings : \
        3 | J. R. R. Tolkien | 2000 | - | -
        OL14926019W | 2 | J.R.R. Tolkien Boxed Set (The Hobbit and The Lord of the Rings) | J. R. R. Tolkien | 1986 | \
        - | -
        OL14926030W | 2 | Le Seigneur des Anneaux, 3 Volume Boxed Set Containing" La Communeaute de l'Anneau; Les \
        Deux Tours; Le retour du Roi: French Edition of Lord of the Rings, Containing | J. R. R. Tolkien | 2000 | - | -
        # pipeline_search.json
        OL893414W | 6 | Dune | Frank Herbert; Френк Герберт | 1965 | - | -
        OL893516W | 6 | Children of Dune | Frank Herbert | 1976 | - | -
        OL893515W | 6 | God Emperor of Dune | Frank Herbert | 1981 | - | -
        # vcr_search_0.http.txt
        OL7919260W | 4 | Denver ** | John Dunning | 1982 | - | -
        OL26878533W | 1 | Denver Gift | Vivienne Schneider | 2021 | - | -
        OL17732022W | 16 | The Denver cereal | Claudia Hall Christian | 2008 | - | -
        OL16042916W | 2 | Denver now | Bruce W. Most; Ken Freed; Steve Perez; Joe Chirichigno; T. W. Gaddy | 1982 | - \
        | -
        OL8024585W | 4 | John Denver | Lane | 1998 | - | -
        # vcr_search_3.http.txt
        OL8204662W | 40 | Frommer's Chicago | Elizabeth Canning Blackwell | 2001 | - | -
        OL1794949W | 65 | The Pit | Frank Norris | 1903 | - | -
        OL37599W | 12 | Chicago loop | Paul Theroux | 1990 | - | -
        OL25572390W | 41 | Pit | Frank Norris | 2008 | - | -
        OL4457952W | 8 | Chicago | Dominic A. Pacyga | 2009 | - | -
        """)
}
