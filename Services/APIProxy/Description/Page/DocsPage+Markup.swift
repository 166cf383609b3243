extension DocsPage {
    /// What stands before the documents are read.
    static let markup = #"""
        <a class="skip" href="#content">Skip to the operations</a>
        <header>
          <h1>BooksTrack API <span id="version"></span></h1>
          <p id="about"></p>
          <ol id="steps">
            <li><a href="#startBatch">Start a job</a>: send the sample body. The page keeps its job and token for the next steps.</li>
            <li><a href="#socket">Watch it</a>: connect the progress socket and see each book as it is found.</li>
            <li><a href="#readResults">Read the results</a> once the job has completed.</li>
          </ol>
          <p>Or <a href="#searchByISBN">search for a single book</a>: no job, no token.</p>
          <p>Documents: <a href="/openapi.json">openapi.json</a>, <a href="/asyncapi.json">asyncapi.json</a></p>
        </header>
        <nav id="groups" aria-label="Groups of operations"></nav>
        <form id="settings" role="search">
          <label>Find <input id="filter" type="search" placeholder="path or words" autocomplete="off"></label>
          <label>Job <input id="job" autocomplete="off" spellcheck="false" placeholder="jobId"></label>
          <label>Token <input id="token" type="password" autocomplete="off" placeholder="job's token"></label>
        </form>
        <p id="nothing" role="status" hidden>Nothing found.</p>
        <main id="content" tabindex="-1">
          <p id="loading" role="status">Reading the description…</p>
          <noscript><p>This page needs JavaScript; the documents above do not.</p></noscript>
        </main>
        """#
}
