// Which statements of a migration break processes of the last release that are still running. Used by test/shipping/releases.test.ts.

/** What the last release has. */
export interface ReleasedSchema {
  readonly tables: ReadonlySet<string>
  /** All released versions: something may be removed that none of the running ones uses any more. */
  readonly versions: readonly string[]
}

interface Rule {
  /** The first group is the table. */
  readonly pattern: RegExp
  readonly problem: string
}

const TABLE = '(?:if exists )?(?:only )?"?(\\w+)"?'

const RULES: readonly Rule[] = [
  { pattern: new RegExp(`^drop table ${TABLE}`), problem: 'drops a table' },
  { pattern: new RegExp(`^truncate (?:table )?${TABLE}`), problem: 'empties a table' },
  { pattern: new RegExp(`^alter table ${TABLE} rename to `), problem: 'renames a table' },
  { pattern: new RegExp(`^alter table ${TABLE} rename (?!to |constraint )`), problem: 'renames a column' },
  {
    pattern: new RegExp(`^alter table ${TABLE} .*\\bdrop (?:column )?(?!constraint|default|not null|expression|identity)\\w`),
    problem: 'drops a column',
  },
  { pattern: new RegExp(`^alter table ${TABLE} .*\\balter (?:column )?\\w+ (?:set data )?type `), problem: 'changes the type of a column' },
  {
    pattern: new RegExp(`^alter table ${TABLE} .*\\balter (?:column )?\\w+ set not null`),
    problem: 'requires a value that running processes may not write',
  },
  {
    pattern: new RegExp(
      `^alter table ${TABLE} .*\\badd (?:column )?(?!constraint)\\w+ (?:(?!default|generated|, add ).)*not null(?!(?:(?!, add ).)*(?:default|generated))`,
    ),
    problem: 'adds a required column without a default',
  },
  {
    pattern: new RegExp(`^alter table ${TABLE} .*\\badd constraint (?!.*not valid)`),
    problem: 'adds a constraint that scans the table while it is locked; use `not valid`',
  },
  {
    pattern: /^create unique index (?:concurrently )?(?:if not exists )?\w+ on "?(\w+)"?/,
    problem: 'adds a uniqueness that running processes do not expect',
  },
  { pattern: /^create index (?:if not exists )?\w+ on "?(\w+)"?/, problem: 'builds an index while writes wait; use add_background_index' },
  { pattern: /^update "?(\w+)"?/, problem: 'updates existing rows in one transaction; use add_background_batches' },
]

/** `-- contract: unused since 1.2.0` before a statement allows it, if that version is released. */
const CONTRACT = /contract: unused since (\S+)/
/** `-- small table` before an index, an update or a constraint: the table never has more than some thousand rows. */
const SMALL = /small table/
const ABOUT_SIZE = /scans the table|builds an index|existing rows/

interface Statement {
  readonly text: string
  readonly comment: string
}

/** Statements in lower case with single spaces, each with the comments before it; the bodies of functions are left out. */
export const splitStatements = (migration: string): Statement[] => {
  const statements: Statement[] = []
  let text = ''
  let comment = ''
  const TOKEN = /--[^\n]*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|;|[^-$';]+|[\s\S]/g
  for (const [token] of migration.matchAll(TOKEN)) {
    if (token.startsWith('--')) comment += `${token}\n`
    else if (token === ';') {
      statements.push({ text: text.trim().replaceAll(/\s+/g, ' ').toLowerCase(), comment })
      text = ''
      comment = ''
    } else text += token.startsWith('$') ? "''" : token
  }
  return statements.filter((statement) => statement.text !== '')
}

/** What would break, in words; empty if the migration can run beside the last release. */
export const findBreakingChanges = (migration: string, { tables, versions }: ReleasedSchema): string[] =>
  splitStatements(migration).flatMap(({ text, comment }) => {
    const [, since] = CONTRACT.exec(comment) ?? []
    if (since && !versions.includes(since)) return [`“${text}” is marked as unused since ${since}, which is not a released version`]
    if (since) return []
    return RULES.flatMap(({ pattern, problem }) => {
      const [, table] = pattern.exec(text) ?? []
      if (!table || !tables.has(table) || (SMALL.test(comment) && ABOUT_SIZE.test(problem))) return []
      return [`“${text.length > 120 ? `${text.slice(0, 120)}…` : text}” ${problem}`]
    })
  })
