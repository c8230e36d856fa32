#ifndef DARWIN_CURSES_H
#define DARWIN_CURSES_H

// The ncurses 5.7 of macOS. Its wide characters need _XOPEN_SOURCE_EXTENDED, and ignore NCURSES_WIDECHAR.
#include <stdbool.h>
#include <stdio.h>
#ifdef _XOPEN_SOURCE_EXTENDED
#include <wchar.h>
#endif

// Source: ncurses(3)
typedef unsigned int chtype;
typedef struct screen SCREEN;
typedef struct _win_st WINDOW;
#define OK 0
#define ERR (-1)
#define TRUE 1
#define FALSE 0
extern WINDOW *stdscr;
extern WINDOW *curscr;

// Source: curs_initscr(3)
int endwin(void);
void delscreen(SCREEN *);
SCREEN *newterm(char *, FILE *, FILE *);
SCREEN *set_term(SCREEN *);

// Source: curs_inopts(3)
int cbreak(void);
int keypad(WINDOW *, bool);
int nodelay(WINDOW *, bool);
int noecho(void);

// Source: curs_outopts(3)
int clearok(WINDOW *, bool);
int leaveok(WINDOW *, bool);
int nonl(void);

// Source: curs_kernel(3)
int curs_set(int);

// Source: curs_threads(3)
int set_escdelay(int);

// Source: curs_color(3), default_colors(3)
#define COLOR_BLACK 0
#define COLOR_RED 1
#define COLOR_YELLOW 3
#define COLOR_BLUE 4
#define COLOR_CYAN 6
#define COLOR_PAIR(number) ((number) << 8)
bool has_colors(void);
int init_pair(short, short, short);
int start_color(void);
int use_default_colors(void);

// Source: curs_attr(3)
#define A_NORMAL 0U
#define A_REVERSE (1U << 18)
#define A_DIM (1U << 20)
#define A_BOLD (1U << 21)
int wattrset(WINDOW *, int);
#define attrset(attributes) wattrset(stdscr, attributes)

// Source: curs_getyx(3), curs_opaque(3)
int getmaxx(const WINDOW *);
int getmaxy(const WINDOW *);

// Source: curs_clear(3), curs_move(3), curs_refresh(3)
int werase(WINDOW *);
int wmove(WINDOW *, int, int);
int wrefresh(WINDOW *);
#define move(line, column) wmove(stdscr, line, column)
#define refresh() wrefresh(stdscr)

// Source: curs_getch(3)
#define KEY_CODE_YES 0400
#define KEY_DOWN 0402
#define KEY_UP 0403
#define KEY_LEFT 0404
#define KEY_RIGHT 0405
#define KEY_HOME 0406
#define KEY_BACKSPACE 0407
#define KEY_F0 0410
#define KEY_F(number) (KEY_F0 + (number))
#define KEY_DC 0512
#define KEY_NPAGE 0522
#define KEY_PPAGE 0523
#define KEY_ENTER 0527
#define KEY_END 0550
#define KEY_MOUSE 0631
#define KEY_RESIZE 0632

// Source: curs_mouse(3), of the first version of its interface
typedef unsigned long mmask_t;
typedef struct {
    short id;
    int x, y, z;
    mmask_t bstate;
} MEVENT;
#define BUTTON1_PRESSED 0x2UL
#define BUTTON4_PRESSED 0x80000UL
#define REPORT_MOUSE_POSITION 0x8000000UL
int getmouse(MEVENT *);
int mouseinterval(int);
mmask_t mousemask(mmask_t, mmask_t *);

#ifdef _XOPEN_SOURCE_EXTENDED
// Source: curs_addwstr(3), curs_get_wch(3)
int waddnwstr(WINDOW *, const wchar_t *, int);
int wget_wch(WINDOW *, wint_t *);
#define addnwstr(text, count) waddnwstr(stdscr, text, count)
#define get_wch(character) wget_wch(stdscr, character)
#endif

#endif
