#include <CCurlShim.h>
