// The whole screen of a terminal, by ncurses. One thread makes all calls.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stdint.h>

// The styles of text. They differ in weight or intensity too, so that no meaning is by color only.
enum { CT_PLAIN, CT_BOLD, CT_DIM, CT_ERROR, CT_WARNING, CT_NOTE, CT_DIRECTORY, CT_STYLE_COUNT };
// Added to a style: foreground and background are exchanged.
enum { CT_REVERSED = 0x100 };

// The results of ct_next_key. CT_CHARACTER sets a Unicode scalar, CT_KEY one of the keys below. CT_CLOSED means that the
// terminal no longer exists. CT_MOUSE sets an action in the lowest two bits (0: a click of the first button, 1: the wheel up,
// 2: down), the column in the next 14 bits, and the line above them.
enum { CT_NOTHING, CT_CHARACTER, CT_KEY, CT_CLOSED, CT_MOUSE };
enum {
    CT_UP, CT_DOWN, CT_LEFT, CT_RIGHT, CT_PAGE_UP, CT_PAGE_DOWN, CT_HOME, CT_END, CT_ENTER, CT_ESCAPE, CT_BACKSPACE,
    CT_DELETE, CT_RESIZED, CT_OTHER,
    // The function key n is CT_FUNCTION + n, up to 12.
    CT_FUNCTION = 100
};

// Takes over the terminal of standard input and output. Until ct_end, standard error is kept in a buffer of the kernel. A
// signal that reports a defect of the program restores the terminal and writes the buffer first. Returns false, without
// an effect, if the type of the terminal (TERM) is unknown. With `mouse`, clicks and turns of the wheel are keys.
bool ct_begin(bool colored, bool mouse);
// Restores the terminal, then writes what standard error received. Does nothing without a screen.
void ct_end(void);
void ct_size(int32_t *lines, int32_t *columns);
void ct_erase(void);
// Puts UTF-8 at a position of the next picture. What does not fit in the line is cut.
void ct_put(int32_t line, int32_t column, const char *text, int32_t style);
// Writes the difference between the old and the next picture.
void ct_show(void);
// Writes the whole picture, for a terminal to which another program has written.
void ct_redraw(void);
// Waits at most this time for a key.
int32_t ct_next_key(int32_t milliseconds, int32_t *value);

// Runs a program in the foreground with the streams of this process, such as an editor, and waits for its end. Both lists end
// with NULL. Without a screen, or between ct_end and ct_begin. Returns its exit code, 128 plus the number of a signal, or a
// negative errno if it cannot be started.
int32_t ct_run(const char *program, const char *const arguments[], const char *const environment[]);

#endif
