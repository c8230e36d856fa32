#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifndef _DARWIN_C_SOURCE
#define _DARWIN_C_SOURCE 1
#endif
// Wide characters: the header of ncurses 5.7, which macOS has, needs the first, and later ones the second.
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#include "CTerminal.h"
#include "restore.h"

#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;
static chtype styles[CT_STYLE_COUNT];

static void set_styles(bool colored) {
    const chtype plain[] = {A_NORMAL, A_BOLD, A_DIM, A_BOLD, A_BOLD, A_NORMAL, A_BOLD};
    memcpy(styles, plain, sizeof plain);
    if (!colored || !has_colors() || start_color() == ERR) return;
    short background = use_default_colors() == OK ? -1 : COLOR_BLACK;
    const short colors[] = {-1, -1, -1, COLOR_RED, COLOR_YELLOW, COLOR_CYAN, COLOR_BLUE};
    for (short style = 0; style < CT_STYLE_COUNT; style++)
        if (colors[style] >= 0 && init_pair(style, colors[style], background) == OK) styles[style] |= COLOR_PAIR(style);
}

// The wheel is the buttons 4 and 5; ncurses 5.7, which macOS has, knows no fifth one, and reports the wheel down as a motion.
static void set_mouse(void) {
    mmask_t mask = BUTTON1_PRESSED | BUTTON4_PRESSED;
#ifdef BUTTON5_PRESSED
    mask |= BUTTON5_PRESSED;
#else
    mask |= REPORT_MOUSE_POSITION;
#endif
    mousemask(mask, NULL);
    // A press is a click at once, without waiting for a second one.
    mouseinterval(0);
}

bool ct_begin(bool colored, bool mouse) {
    if (screen) return true;
    setlocale(LC_CTYPE, "");
    // The output is UTF-8 in every locale, as that of the other commands.
    if (MB_CUR_MAX == 1 && !setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "UTF-8");
    ct_note_terminal();
    screen = newterm(NULL, stdout, stdin);
    if (!screen) return false;
    set_term(screen);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, TRUE);
    curs_set(0);
    // A single Escape is a key; within this time it is the start of another key.
    set_escdelay(25);
    set_styles(colored);
    if (mouse) set_mouse();
    ct_capture_errors();
    return true;
}

void ct_end(void) {
    if (!screen) return;
    endwin();
    delscreen(screen);
    screen = NULL;
    ct_release_errors();
}

void ct_size(int32_t *lines, int32_t *columns) {
    *lines = screen ? getmaxy(stdscr) : 0;
    *columns = screen ? getmaxx(stdscr) : 0;
}

void ct_erase(void) {
    if (screen) werase(stdscr);
}

void ct_put(int32_t line, int32_t column, const char *text, int32_t style) {
    if (!screen || line < 0 || column < 0 || line >= getmaxy(stdscr)) return;
    int room = getmaxx(stdscr) - column;
    int kind = style & 0xff;
    attrset(styles[kind < CT_STYLE_COUNT ? kind : CT_PLAIN] | ((style & CT_REVERSED) ? A_REVERSE : A_NORMAL));
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t rest = strlen(text);
    move(line, column);
    while (rest > 0 && room > 0) {
        wchar_t character[2] = {0, 0};
        size_t length = mbrtowc(character, text, rest, &state);
        if (length == 0 || length > rest) {
            memset(&state, 0, sizeof state);
            (character[0] = L'?', length = 1);
        }
        int width = wcwidth(character[0]);
        if (width < 0) (character[0] = L'?', width = 1);
        if (width > room) break;
        addnwstr(character, 1);
        room -= width;
        text += length;
        rest -= length;
    }
    attrset(A_NORMAL);
}

void ct_show(void) {
    if (screen) refresh();
}

void ct_redraw(void) {
    if (screen) clearok(curscr, TRUE);
}

static int32_t key_of(wint_t code) {
    switch (code) {
    case KEY_UP: return CT_UP;
    case KEY_DOWN: return CT_DOWN;
    case KEY_LEFT: return CT_LEFT;
    case KEY_RIGHT: return CT_RIGHT;
    case KEY_PPAGE: return CT_PAGE_UP;
    case KEY_NPAGE: return CT_PAGE_DOWN;
    case KEY_HOME: return CT_HOME;
    case KEY_END: return CT_END;
    case KEY_ENTER: return CT_ENTER;
    case KEY_BACKSPACE: return CT_BACKSPACE;
    case KEY_DC: return CT_DELETE;
    case KEY_RESIZE: return CT_RESIZED;
    default: return code > KEY_F(0) && code <= KEY_F(12) ? CT_FUNCTION + (int32_t)(code - KEY_F(0)) : CT_OTHER;
    }
}

static int32_t read_mouse(int32_t *value) {
    MEVENT event;
    if (getmouse(&event) != OK || event.x < 0 || event.y < 0 || event.x > 0x3fff || event.y > 0x7fff) return CT_NOTHING;
    int32_t action = 0;
    if (event.bstate & BUTTON4_PRESSED)
        action = 1;
    else if (!(event.bstate & BUTTON1_PRESSED))
        action = 2;
    return *value = action | event.x << 2 | event.y << 16, CT_MOUSE;
}

static int32_t read_key(int32_t *value) {
    wint_t code = 0;
    int kind = get_wch(&code);
    if (kind == ERR) return CT_NOTHING;
    if (kind == KEY_CODE_YES && code == KEY_MOUSE) return read_mouse(value);
    if (kind == KEY_CODE_YES) return *value = key_of(code), CT_KEY;
    switch (code) {
    case '\r':
    case '\n': return *value = CT_ENTER, CT_KEY;
    case 27: return *value = CT_ESCAPE, CT_KEY;
    case 8:
    case 127: return *value = CT_BACKSPACE, CT_KEY;
    default: return *value = (int32_t)code, CT_CHARACTER;
    }
}

int32_t ct_next_key(int32_t milliseconds, int32_t *value) {
    if (!screen) return CT_CLOSED;
    int32_t kind = read_key(value);
    if (kind != CT_NOTHING) return kind;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&input, 1, milliseconds);
    if (ready > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL))) return CT_CLOSED;
    // Also after a signal: it may have changed the size.
    return read_key(value);
}
