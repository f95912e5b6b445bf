import type { Client } from './commands.ts'

/** What sets one dialect apart, as data. A new dialect is a new row here, and a few fixtures. */
export interface Dialect {
  readonly name: string
  /** What happens to a name without quotes. `keep`: names are compared without regard to case and shown as written. */
  readonly fold: 'upper' | 'lower' | 'keep'
  /** Two spellings of a table are two tables: the names of files, or a server that says so. */
  readonly exactTables: boolean
  /** Characters that open a string, and a quoted name. */
  readonly strings: string
  readonly quotes: string
  /** Characters, beyond letters, digits, `_` and `$`, that may stand in a name. */
  readonly nameChars: string
  readonly backslash: boolean
  readonly hashComments: boolean
  readonly slashComments: boolean
  readonly nestedComments: boolean
  /** `--` opens a comment only before a blank, so that `5--3` stays eight. */
  readonly spacedDashes: boolean
  readonly tripleQuotes: boolean
  readonly dollarQuotes: boolean
  /** Oracle's `q'[it's]'`. */
  readonly delimitedStrings: boolean
  /** `my-project.data.t` without quotes, and one pair of back-ticks around a dotted name. */
  readonly dashedNames: boolean
  /** `column:path.to[0].field` reaches into a document. */
  readonly colonPaths: boolean
  /** `x -> x + 1` is a function, not a step into a document. */
  readonly lambdas: boolean
  /** A select item may use the alias of an earlier one. */
  readonly lateralAliases: boolean
  /** A common table may name itself without the word RECURSIVE. */
  readonly silentRecursion: boolean
  /** An unnamed call takes the name of its function. */
  readonly namesCalls: boolean
  /** Statements may follow one another without a semicolon. */
  readonly looseStatements: boolean
  /** `SELECT name = expression`. */
  readonly equalsAliases: boolean
  /** A string may be an alias (`SELECT a 'b'`), or even the name of a table. */
  readonly stringAliases: boolean
  /** `SELECT … INTO t` makes a table; elsewhere it fills a variable. */
  readonly selectInto: boolean
  /** The names of the columns of VALUES, counted from nought. */
  readonly valueNames?: (n: number) => string
  /** `column.field` reaches into a struct. */
  readonly dotFields: boolean
  /** `FROM t, t.items` reads the elements of a column. */
  readonly tablePaths: boolean
  /** `x.*` of an unnested element gives the fields of the struct it is. */
  readonly structElements: boolean
  /** One DECLARE opens a section of declarations, each with its semicolon, up to BEGIN. */
  readonly declareSections: boolean
  /** Whose commands may stand between statements. */
  readonly client: Client
}

const ansi: Dialect = {
  name: 'ansi',
  fold: 'keep',
  exactTables: false,
  strings: "'",
  quotes: '"`',
  nameChars: '#@',
  backslash: false,
  hashComments: false,
  slashComments: false,
  nestedComments: false,
  spacedDashes: false,
  tripleQuotes: false,
  dollarQuotes: true,
  delimitedStrings: false,
  dashedNames: false,
  colonPaths: false,
  lambdas: false,
  lateralAliases: false,
  silentRecursion: false,
  namesCalls: false,
  looseStatements: false,
  equalsAliases: false,
  stringAliases: false,
  selectInto: true,
  dotFields: false,
  tablePaths: false,
  structElements: false,
  declareSections: false,
  client: 'psql',
}

const postgres: Dialect = {
  ...ansi,
  name: 'postgres',
  fold: 'lower',
  nameChars: '',
  nestedComments: true,
  namesCalls: true,
  valueNames: (n) => `column${n + 1}`,
  declareSections: true,
}
const mysql: Dialect = {
  ...ansi,
  name: 'mysql',
  exactTables: true,
  strings: '\'"',
  quotes: '`',
  nameChars: '',
  backslash: true,
  hashComments: true,
  spacedDashes: true,
  dollarQuotes: false,
  stringAliases: true,
  selectInto: false,
  client: 'mysql',
}
const hive: Dialect = {
  ...ansi,
  name: 'hive',
  fold: 'lower',
  strings: '\'"',
  quotes: '`',
  nameChars: '',
  backslash: true,
  selectInto: false,
  dotFields: true,
  client: 'beeline',
}
const spark: Dialect = {
  ...hive,
  name: 'spark',
  valueNames: (n) => `col${n + 1}`,
  nestedComments: true,
  lambdas: true,
  lateralAliases: true,
}
const trino: Dialect = {
  ...ansi,
  name: 'trino',
  fold: 'lower',
  nameChars: '',
  lambdas: true,
  selectInto: false,
  dotFields: true,
  client: 'none',
}
const starrocks: Dialect = { ...mysql, name: 'starrocks', lambdas: true, lateralAliases: true, dotFields: true }

const all: readonly Dialect[] = [
  ansi,
  postgres,
  mysql,
  hive,
  spark,
  trino,
  starrocks,
  { ...postgres, name: 'redshift', nameChars: '#', quotes: '"`[', lateralAliases: true, tablePaths: true, dotFields: true },
  { ...postgres, name: 'materialize' },
  { ...mysql, name: 'mariadb' },
  {
    ...ansi,
    name: 'bigquery',
    exactTables: true,
    strings: '\'"',
    quotes: '`',
    nameChars: '',
    backslash: true,
    hashComments: true,
    tripleQuotes: true,
    dollarQuotes: false,
    dashedNames: true,
    selectInto: false,
    tablePaths: true,
    dotFields: true,
    structElements: true,
    client: 'none',
  },
  {
    ...ansi,
    name: 'snowflake',
    valueNames: (n) => `COLUMN${n + 1}`,
    fold: 'upper',
    backslash: true,
    slashComments: true,
    nameChars: '',
    colonPaths: true,
    lambdas: true,
    lateralAliases: true,
    silentRecursion: true,
    selectInto: false,
    declareSections: true,
    client: 'snowsql',
  },
  { ...spark, name: 'databricks', colonPaths: true },
  { ...hive, name: 'impala', tablePaths: true },
  { ...trino, name: 'presto' },
  { ...trino, name: 'athena' },
  {
    ...ansi,
    name: 'duckdb',
    valueNames: (n) => `col${n}`,
    nameChars: '',
    nestedComments: true,
    lambdas: true,
    lateralAliases: true,
    stringAliases: true,
    dotFields: true,
    client: 'dot',
  },
  { ...ansi, name: 'sqlite', client: 'dot', valueNames: (n) => `column${n + 1}`, quotes: '"`[', nameChars: '', stringAliases: true },
  {
    ...ansi,
    name: 'tsql',
    quotes: '"`[',
    nestedComments: true,
    dollarQuotes: false,
    silentRecursion: true,
    looseStatements: true,
    equalsAliases: true,
    stringAliases: true,
    client: 'sqlcmd',
  },
  {
    ...ansi,
    name: 'oracle',
    fold: 'upper',
    nameChars: '#',
    dollarQuotes: false,
    delimitedStrings: true,
    silentRecursion: true,
    selectInto: false,
    declareSections: true,
    client: 'sqlplus',
  },
  {
    ...ansi,
    client: 'none',
    name: 'clickhouse',
    exactTables: true,
    nameChars: '',
    backslash: true,
    nestedComments: true,
    lambdas: true,
    lateralAliases: true,
    dotFields: true,
  },
  { ...ansi, name: 'teradata', client: 'dot', nameChars: '#', lateralAliases: true, silentRecursion: true, selectInto: false },
  { ...ansi, name: 'vertica', declareSections: true, nameChars: '', nestedComments: true, lateralAliases: true },
  { ...ansi, name: 'db2', client: 'none', fold: 'upper', silentRecursion: true, selectInto: false },
  { ...starrocks, name: 'doris' },
  { ...ansi, name: 'exasol', client: 'none', fold: 'upper', quotes: '"[', nameChars: '', lateralAliases: true },
  { ...ansi, name: 'flink', client: 'none', nameChars: '', quotes: '`"', dotFields: true },
  { ...ansi, name: 'dremio', client: 'none', nameChars: '' },
]

const aliases: Readonly<Record<string, string>> = {
  postgresql: 'postgres',
  mssql: 'tsql',
  sqlserver: 'tsql',
  sparksql: 'spark',
  prestodb: 'presto',
  trinodb: 'trino',
}

const byName = new Map(all.map((dialect) => [dialect.name, dialect]))

/** Every name a caller may give, aliases included. */
export const dialectNames: readonly string[] = [...byName.keys(), ...Object.keys(aliases)].sort()

export const findDialect = (name: string): Dialect | undefined => {
  const lower = name.toLowerCase()
  return byName.get(aliases[lower] ?? lower)
}
