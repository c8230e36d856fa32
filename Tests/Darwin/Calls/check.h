// The expectations of the test program.
#ifndef CHECK_H
#define CHECK_H

#include "CFileSystem.h"
#include <errno.h>

#ifdef __APPLE__
enum { IS_DARWIN = 1 };
#else
enum { IS_DARWIN = 0 };
#endif

// Records a failure, with its line, unless the condition holds.
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
// Records a failure unless the call returns this number.
#define EQUAL(call, expected) check_equal((long long)(call), (expected), #call, __FILE__, __LINE__)
// Records a failure unless the call succeeds, or fails with this error, which the file system may have.
#define SUCCEEDS_OR(call, error) check_result((long long)(call), -(error), #call, __FILE__, __LINE__)

void check(int holds, const char *text, const char *file, int line);
void check_equal(long long value, long long expected, const char *text, const char *file, int line);
// Returns true if the call has succeeded.
bool check_result(long long value, long long error, const char *text, const char *file, int line);

// Creates a file with a text, and returns a descriptor for reading and writing.
int make_file(int directory, const char *name, const char *text);

// The groups of calls. Each leaves the directory empty.
void check_files(int directory);
void check_names(int directory);
void check_properties(int directory);
void check_attributes(int directory);
void check_listing(int directory);
void check_locks(int directory);
void check_memory(int directory);
void check_watches(int directory);
void check_threads(void);
void check_clocks(void);
void check_process(int directory);
void check_terminal(void);

#endif
