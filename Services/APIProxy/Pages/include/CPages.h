#ifndef CPAGES_H
#define CPAGES_H

/// A file of a web page, embedded in the program. It is text without null characters.
struct EmbeddedPageFile {
    /// The path in `Services/APIProxy/Pages`.
    const char *path;
    const char *text;
};

/// Returns an embedded file by its index; NULL after the last one.
const struct EmbeddedPageFile *embedded_page_file(int index);

#endif
