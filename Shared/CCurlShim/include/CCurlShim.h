#ifndef BOOKSTRACK_CCURLSHIM_H
#define BOOKSTRACK_CCURLSHIM_H

#include <curl/curl.h>
#include <sys/socket.h>

/*
 * libcurl sets options and reads values through variadic functions, which Swift cannot call. Each function below fixes
 * the type of the one variadic argument; the caller passes an option of that type (https://curl.se/libcurl/c/curl_easy_setopt.html).
 */

/** Sets an option that takes a `long` (switches, milliseconds, versions). */
static inline CURLcode curlshim_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/** Sets an option that takes a `curl_off_t` (the `_LARGE` ones). */
static inline CURLcode curlshim_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/** Sets an option that takes a C string; libcurl copies it. */
static inline CURLcode curlshim_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/** Sets an option that takes a list of strings; the caller keeps the list alive while the transfer runs. */
static inline CURLcode curlshim_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

/** Sets the callback that receives the response body, and its context pointer. */
static inline CURLcode curlshim_set_write(CURL *easy, curl_write_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_WRITEDATA, context) : code;
}

/** Sets the callback that provides the request body, and its context pointer. */
static inline CURLcode curlshim_set_read(CURL *easy, curl_read_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_READDATA, context) : code;
}

/** Sets the callback that rewinds the request body, and its context pointer. */
static inline CURLcode curlshim_set_seek(CURL *easy, curl_seek_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SEEKDATA, context) : code;
}

/** Sets the callback for header lines, and its context pointer. */
static inline CURLcode curlshim_set_header(CURL *easy, curl_write_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_HEADERDATA, context) : code;
}

/** Sets the callback that opens a socket for a resolved address, and its context pointer. */
static inline CURLcode curlshim_set_open_socket(CURL *easy, curl_opensocket_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : code;
}

/** Sets the callback that runs once a new or reused connection is ready, before the request is sent, and its context pointer. */
static inline CURLcode curlshim_set_prerequest(CURL *easy, curl_prereq_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PREREQDATA, context) : code;
}

/** Reads a value of type `long`. */
static inline CURLcode curlshim_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

/** Reads a value of type `curl_off_t` (the `_T` ones: bytes, microseconds). */
static inline CURLcode curlshim_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

/** Reads a string that stays valid until the handle's next use; null if there is none. */
static inline CURLcode curlshim_get_string(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

/** Sets an option of the multi handle that takes a `long`. */
static inline CURLMcode curlshim_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/** The address in libcurl's structure; it may be longer than `struct sockaddr`, so it is read by pointer. */
static inline const struct sockaddr *curlshim_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

#endif
