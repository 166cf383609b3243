// One element of the array in Pages.c: the file FILE, with the null character that ends a C string. No include guard, because it is included for
// every file.
{FILE, (const char[]){
#embed FILE suffix(, 0)
}},
#undef FILE
