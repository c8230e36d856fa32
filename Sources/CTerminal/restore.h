// The state of the terminal before the screen, and standard error during it.
#ifndef RESTORE_H
#define RESTORE_H

// Records the modes of the terminal.
void ct_note_terminal(void);
// Redirects standard error into a pipe, and handles the signals that report a defect.
void ct_capture_errors(void);
// Reverts ct_capture_errors, and writes what the pipe contains.
void ct_release_errors(void);

#endif
