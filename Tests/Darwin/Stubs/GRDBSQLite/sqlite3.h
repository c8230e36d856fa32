#ifndef SQLITE3_STUB_H
#define SQLITE3_STUB_H

// The declarations of SQLite in use.
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef long long int sqlite3_int64;

#define SQLITE_OK 0
#define SQLITE_ROW 100
#define SQLITE_DONE 101
#define SQLITE_DENY 1
#define SQLITE_NOMEM 7
#define SQLITE_READONLY 8
#define SQLITE_INTERRUPT 9
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_TOOBIG 18
#define SQLITE_AUTH 23
#define SQLITE_NOTADB 26

#define SQLITE_INTEGER 1
#define SQLITE_FLOAT 2
#define SQLITE_TEXT 3
#define SQLITE_BLOB 4
#define SQLITE_NULL 5
#define SQLITE_UTF8 1

#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_NOMUTEX 0x00008000

#define SQLITE_LIMIT_LENGTH 0
#define SQLITE_LIMIT_ATTACHED 7
#define SQLITE_LIMIT_LIKE_PATTERN_LENGTH 8
#define SQLITE_LIMIT_TRIGGER_DEPTH 10
#define SQLITE_LIMIT_WORKER_THREADS 11

#define SQLITE_PRAGMA 19
#define SQLITE_READ 20
#define SQLITE_SELECT 21
#define SQLITE_UPDATE 23
#define SQLITE_ATTACH 24
#define SQLITE_DETACH 25
#define SQLITE_CREATE_VTABLE 29
#define SQLITE_DROP_VTABLE 30
#define SQLITE_FUNCTION 31
#define SQLITE_RECURSIVE 33

#define SQLITE_CHECKPOINT_TRUNCATE 3

int sqlite3_open(const char *path, sqlite3 **connection);
int sqlite3_wal_checkpoint_v2(sqlite3 *connection, const char *name, int mode, int *pages, int *checkpointed);
int sqlite3_open_v2(const char *path, sqlite3 **connection, int flags, const char *system);
int sqlite3_close_v2(sqlite3 *connection);
int sqlite3_close(sqlite3 *connection);
int sqlite3_prepare_v2(
    sqlite3 *connection, const char *text, int size, sqlite3_stmt **statement, const char **rest);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_column_count(sqlite3_stmt *statement);
const char *sqlite3_column_name(sqlite3_stmt *statement, int column);
int sqlite3_stmt_readonly(sqlite3_stmt *statement);
int sqlite3_exec(
    sqlite3 *connection, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **message);
const char *sqlite3_errmsg(sqlite3 *connection);
int sqlite3_errcode(sqlite3 *connection);
int sqlite3_limit(sqlite3 *connection, int limit, int value);
sqlite3_int64 sqlite3_memory_used(void);
void sqlite3_progress_handler(sqlite3 *connection, int steps, int (*handler)(void *), void *context);
int sqlite3_collation_needed(
    sqlite3 *connection, void *context, void (*handler)(void *, sqlite3 *, int encoding, const char *name));
int sqlite3_create_collation_v2(
    sqlite3 *connection, const char *name, int encoding, void *context,
    int (*compare)(void *, int, const void *, int, const void *), void (*release)(void *));
int sqlite3_set_authorizer(
    sqlite3 *connection,
    int (*authorizer)(void *, int, const char *, const char *, const char *, const char *), void *context);

int sqlite3_column_type(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
double sqlite3_column_double(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);

#endif
