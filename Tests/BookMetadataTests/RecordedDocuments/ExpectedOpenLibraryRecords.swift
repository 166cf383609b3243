/// The facts of each recorded Open Library edition and work, read by hand. Columns: identifier, ISBN-13s, title,
/// authors, date, pages, language; `-` for a missing value. Authors are given as keys if the record has no names; long
/// lists are cut after the first eight.
enum ExpectedOpenLibraryRecords {
    /// The facts by file name.
    static let facts = RecordedFact.table(
        """
        # bookwyrm_ol_edition.json
        OL22951843M | 9780060273224 9780060273231 9780064471831 | Sabriel | OL382982A | 1996 | 491 | en
        # bookwyrm_ol_edition_list.json
        OL9142127M | 9788478710539 | Sabriel | OL382982A | 2006-11 | - | es
        OL22951843M | 9780060273224 9780060273231 9780064471831 | Sabriel | OL382982A | 1996 | 491 | en
        OL7946150M | 9780807216057 | Sabriel | OL382982A | 2006-01 | - | en
        OL9952943M | 9780061474354 | Sabriel | OL382982A | 2008-04-22 | 336 | en
        OL9788823M | 9780613035972 | Sabriel | OL382982A | 1999-10 | 491 | en
        OL7262051M | 9780007137305 | Sabriel | OL382982A | 2002 | 368 | -
        OL9486423M | 9780780772311 | Sabriel | OL382982A | 1997-09 | - | -
        OL9216766M | 9780007137305 | Sabriel | OL382982A | 2002 | 368 | -
        OL24278530M | 9780060005467 9780060773977 | Sabriel | OL382982A | 2001 | - | en
        OL9922813M | 9780007146949 | Sabriel | OL382982A | 2002-09-02 | 640 | -
        OL9370923M | 9780807205631 | Sabriel | OL382982A | 2002-04-23 | - | en
        OL7946044M | 9780807205563 | Sabriel | OL382982A | 2002-04-23 | - | en
        OL24285280M | 9781741769586 | Sabriel | OL382982A | 2010 | - | en
        OL965004M | 9780060273224 9780060273231 | Sabriel | OL382982A | 1995 | 292 | en
        OL24743307M | 9780060273224 9780060273231 | Sabriel | OL382982A | 1995 | 292 | en
        # bookwyrm_ol_isbn_search.json ISBN:9782070427796
        OL16262504M | 9782070427796 | Les ombres errantes | Pascal Quignard | 2002 | - | -
        # bookwyrm_ol_work.json
        OL15832982W | - | Sabriel | OL382982A | 1995 | - | -
        # bspradling_api_books_jscmd_data.json ISBN:0439064872
        OL32784120M | 9780439064873 | Harry Potter and the Chamber of Secrets | J. K. Rowling | 2000-09 | 344 | -
        # bspradling_api_books_jscmd_data.json LCCN:93005405
        OL1397864M | 9780385472579 | Zen speaks | Zhizhong Cai | 1994 | 159 | -
        # bspradling_api_books_jscmd_data.json OLID:OL32336498M
        OL32336498M | 9780735211308 | Atomic Habits | James Clear | 2018 | - | -
        # bspradling_edition.json
        OL7353617M | 9780140328721 | Fantastic Mr. Fox | OL34184A | 1988-10-01 | 96 | en
        # bspradling_isbn.json
        OL7353617M | 9780140328721 | Fantastic Mr. Fox | OL34184A | 1988-10-01 | 96 | en
        # bspradling_model_author_works.json
        OL25366407W | - | Dancing Carl | OL4452558A | - | - | -
        OL25856649W | - | Family Ties | OL4452558A | - | - | -
        OL25321525W | - | How to Train Your Dad | OL4452558A | - | - | -
        OL27063354W | - | Tennis | OL4452558A | - | - | -
        OL26144152W | - | White Fox Chronicles, The | OL4452558A; OL1304980A | - | - | -
        OL25351342W | - | Tiltawhirl John | OL4452558A; OL9111558A | - | - | -
        OL26142275W | - | Father Water, Mother Woods | OL4452558A; OL2943278A | - | - | -
        OL25369506W | - | Dogsong | OL4452558A | - | - | -
        OL25378855W | - | Island | OL4452558A | - | - | -
        OL25346685W | - | Northwind | OL4452558A | - | - | -
        OL25407773W | - | Hatchet 30th Anniversary Edition Signed Counter Display Prepack 6 | OL4452558A | - | - | -
        OL25371667W | - | Gary Paulsen Collection | OL4452558A | - | - | -
        OL25374270W | - | Tracker | OL4452558A | - | - | -
        OL25185116W | - | Six Kids and a Stuffed Cat | OL4452558A | - | - | -
        OL25367992W | - | Sentries | OL4452558A | - | - | -
        OL25374269W | - | Woodsong | OL4452558A | - | - | -
        OL27052642W | - | Brian's Hunt | OL4452558A | - | - | -
        OL25374425W | - | Vote | OL4452558A | - | - | -
        OL26416538W | - | Brian's Return | OL4452558A | - | - | -
        OL27063636W | - | Skiing | OL4452558A | - | - | -
        OL25184676W | - | This Side of Wild | OL4452558A; OL452398A | - | - | -
        OL27051670W | - | El Hacha | OL4452558A | - | - | -
        OL25066586W | - | Lawn Boy | OL4452558A; OL619876A | - | - | -
        OL27065215W | - | Beet Fields | OL4452558A | - | - | -
        OL25361679W | - | Hatchet | OL4452558A | - | - | -
        OL25380197W | - | Fishbone's Song | OL4452558A | - | - | -
        OL25422925W | - | Amazing Life of Birds, The | OL4452558A; OL3080128A | - | - | -
        OL27066247W | - | How Angel Peterson Got His Name | OL4452558A | - | - | -
        OL25360191W | - | River | OL4452558A | - | - | -
        OL26432891W | - | Hatchet and related readings | OL4452558A; OL30012A; OL22132A; OL114093A; OL888044A; \
        OL389980A; OL42119A; OL951924A | - | - | -
        OL16823929W | - | Prentice Hall Literature - Timeless Voices, Timeless Themes - Silver Level | OL2652589A; \
        OL3366571A; OL3366572A; OL580004A; OL2650195A; OL24137A; OL24527A; OL507165A; … | - | - | -
        OL5721834W | - | Brian's Hunt | OL4452558A | 2003 | - | -
        OL14850199W | - | Caught by the Sea | OL4452558A; OL2943278A | 2001 | - | -
        OL8940045W | - | How Angel Peterson Got His Name | OL4452558A; OL2943278A | - | - | -
        OL11892672W | - | The Legend of Bass Reeves | OL4452558A; OL3301133A | - | - | -
        OL14850091W | - | The Schernoff discoveries | OL4452558A; OL7340421A | 1997 | - | -
        OL14850020W | - | Father Water, Mother Woods | OL4452558A; OL5150478A | 1995 | - | -
        OL14850185W | - | The Beet Fields | OL4452558A; OL7340421A | 2000 | - | -
        OL14850166W | - | Woods Runner | OL4452558A; OL36428A | 2010 | - | -
        OL14850016W | - | El hacha | OL4452558A | 1999 | - | -
        OL16175845W | - | Crush | OL4452558A; OL8590738A | - | - | -
        OL24060061W | - | The sweeper | OL4452558A | - | - | -
        OL24687591W | - | The Amazing Life of Birds : The Twenty-Day Puberty Journal of Duane Homer Leech | \
        OL4452558A; OL3080128A | - | - | -
        OL14850222W | - | Woodsong | OL4452558A | 1990 | - | -
        OL24583619W | - | How to Train Your Dad | OL4452558A | - | - | -
        OL24851492W | - | Smash au pays des pharaons | OL4452558A | - | - | -
        OL24505514W | - | Northwind | OL4452558A | - | - | -
        OL21027525W | - | Transall Saga | OL4452558A | - | - | -
        OL24173169W | - | Brian's Winter(J) | OL4452558A | - | - | -
        OL21764657W | - | Tent | OL4452558A | - | - | -
        # dkam_api_books_9780316030571.json ISBN:9780316030571
        OL10426208M | 9780316030571 | Use of Weapons | Iain M. Banks | 2008-07-28 | 480 | -
        # jayfajardo_book.json
        OL23109860M | 9780743273565 | The Great Gatsby | OL27349A | 2004 | 180 | en
        # mediatracker_work.json
        OL82563W | - | Harry Potter and the Philosopher's Stone | OL23919A | - | - | -
        # wolox_api_books_0385472579.json ISBN:0385472579
        OL1397864M | 9780385472579 | Zen speaks | Zhizhong Cai | 1994 | 159 | -
        """)
}
