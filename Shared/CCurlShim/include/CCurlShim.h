#ifndef BOOKSTRACK_CCURLSHIM_H
#define BOOKSTRACK_CCURLSHIM_H
#include <curl/curl.h>
#endif
