/** The command line client whose commands may appear between the statements of a script. */
export type Client = 'psql' | 'sqlplus' | 'mysql' | 'dot' | 'sqlcmd' | 'snowsql' | 'beeline' | 'none'

export interface Commands {
  /** What a command starts with, at the beginning of a line. */
  readonly pattern: RegExp
  /** Recognized only between statements: elsewhere the same word is SQL. */
  readonly between: boolean
  /** A command whose line is parsed as a separate statement. */
  readonly statement?: RegExp
}

const word = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})(?=[\\s;]|$)`

/** Commands end with their line, so they need no semicolon, and quotes in them open no string. Sticky, so that no line is copied. */
const COMMANDS: Readonly<Record<Exclude<Client, 'psql' | 'none'>, Commands>> = {
  sqlplus: {
    pattern: new RegExp(
      `@|!|${word(`REM REMARK PROMPT PRO SET SPOOL SPO WHENEVER DEFINE DEF UNDEFINE UNDEF ACCEPT ACC COLUMN COL BREAK BRE COMPUTE TTITLE BTITLE
        REPHEADER REPFOOTER CONNECT CONN DISCONNECT HOST PAUSE PRINT SHOW SHO START STA TIMING CLEAR STORE VARIABLE VAR DESCRIBE DESC PASSWORD ARCHIVE`)}|${word(
        'EXEC EXECUTE',
      )}(?!\\s+IMMEDIATE)`,
      'iy',
    ),
    between: true,
    statement: /EXEC(?:UTE)?\b/iy,
  },
  mysql: {
    pattern: new RegExp(
      `\\\\[!.#CTWcehnpqrstuwx]|${word('WARNINGS NOWARNING SOURCE SYSTEM TEE NOTEE PROMPT PAGER NOPAGER CHARSET STATUS REHASH USE')}`,
      'iy',
    ),
    between: true,
  },
  dot: { pattern: /\.[a-z]/iy, between: true },
  sqlcmd: {
    pattern: new RegExp(
      `!!|:!!|:${word('R SETVAR CONNECT ON OUT ERROR EXIT QUIT XML LIST RESET ED PERFTRACE SERVERLIST LISTVAR HELP')}`,
      'iy',
    ),
    between: false,
  },
  snowsql: {
    pattern: new RegExp(
      `!${word('ABORT CONNECT DEFINE EDIT EXIT HELP OPTIONS PAUSE PRINT QUERIES QUIT REHASH RESULT SET SOURCE LOAD SPOOL SYSTEM VARIABLES VARS')}`,
      'iy',
    ),
    between: false,
  },
  beeline: { pattern: /![a-z]/iy, between: true },
}

export const getCommands = (client: Client): Commands | undefined => (client === 'psql' || client === 'none' ? undefined : COMMANDS[client])

/** `\g` and similar commands send the query before them. */
export const PSQL_SENDS = /\\(?:g(?:x|set|exec|desc)?|watch|crosstabview)(?![a-z])/iy
export const PSQL_COPY = /\\copy\b/iy
/** mysql: `\g` and `\G` replace a semicolon. */
export const MYSQL_SENDS = /\\g/iy

/** Whether a sticky pattern matches at a position. */
export const matchesAt = (pattern: RegExp, sql: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(sql)
}

/** Where the line of a command ends. SQL*Plus continues after a trailing dash. */
export const findCommandEnd = (sql: string, from: number, to: number, client: Client): number => {
  for (let at = from; ; ) {
    const end = sql.indexOf('\n', at)
    if (end < 0 || end >= to) return to
    if (client !== 'sqlplus' || !/-\s*$/.test(sql.slice(Math.max(from, end - 40), end))) return end
    at = end + 1
  }
}
