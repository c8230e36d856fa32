// The entry point of the release binary. The three tools are one file, because they share most of their code and the data
// of Foundation. The name by which the file is started selects the tool; any other name selects the linter.

#include <string.h>

// SwiftPM gives the entry point of an executable target this name.
int sandboxlint_main(int count, char **arguments);
int sandboxbackup_main(int count, char **arguments);
int sandboxfm_main(int count, char **arguments);

// Without it, Swift reads the arguments from /proc, and has none where that is not mounted, as in a plain chroot: `lint` would
// print the help and succeed. A part of Swift's library; weak, because a test links this file without it.
__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

int main(int count, char **arguments) {
    if (_swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
    const char *name = count > 0 ? arguments[0] : "";
    const char *slash = strrchr(name, '/');
    if (slash) name = slash + 1;
    if (strcmp(name, "sandboxbackup") == 0) return sandboxbackup_main(count, arguments);
    if (strcmp(name, "sandboxfm") == 0) return sandboxfm_main(count, arguments);
    return sandboxlint_main(count, arguments);
}
