// The entry point of the release binary. The three tools are one file, because they share most of their code and the data
// of Foundation. The name by which the file is started selects the tool; any other name selects the linter.

#include <string.h>

// SwiftPM gives the entry point of an executable target this name.
int sandboxlint_main(int count, char **arguments);
int sandboxbackup_main(int count, char **arguments);
int sandboxfm_main(int count, char **arguments);

int main(int count, char **arguments) {
    const char *name = count > 0 ? arguments[0] : "";
    const char *slash = strrchr(name, '/');
    if (slash) name = slash + 1;
    if (strcmp(name, "sandboxbackup") == 0) return sandboxbackup_main(count, arguments);
    if (strcmp(name, "sandboxfm") == 0) return sandboxfm_main(count, arguments);
    return sandboxlint_main(count, arguments);
}
