import type { Client } from './commands.ts'

/** The differences of one dialect, as data. To add a dialect, add a row here and a few fixtures. */
export interface Dialect {
  readonly name: string
  /** How an unquoted name is folded. `keep`: names are compared case-insensitively and shown as written. */
  readonly fold: 'upper' | 'lower' | 'keep'
  /** Table names are case-sensitive: they are file names, or the server treats them so. */
  readonly exactTables: boolean
  /** Characters that open a string, and a quoted name. */
  readonly strings: string
  readonly quotes: string
  /** Characters besides letters, digits, `_` and `$` that may be part of a name. */
  readonly nameChars: string
  readonly backslash: boolean
  readonly hashComments: boolean
  readonly slashComments: boolean
  readonly nestedComments: boolean
  /** `--` opens a comment only before whitespace, so that `5--3` is eight. */
  readonly spacedDashes: boolean
  readonly tripleQuotes: boolean
  readonly dollarQuotes: boolean
  /** Oracle's `q'[it's]'`. */
  readonly delimitedStrings: boolean
  /** `my-project.data.t` without quotes, and one pair of backticks around a dotted name. */
  readonly dashedNames: boolean
  /** `column:path.to[0].field` accesses a JSON document. */
  readonly colonPaths: boolean
  /** `x -> x + 1` is a lambda, not a JSON accessor. */
  readonly lambdas: boolean
  /** A select item may use the alias of an earlier one. */
  readonly lateralAliases: boolean
  /** A CTE may refer to itself without RECURSIVE. */
  readonly silentRecursion: boolean
  /** An unnamed call takes the name of its function. */
  readonly namesCalls: boolean
  /** Statements may follow one another without a semicolon. */
  readonly looseStatements: boolean
  /** `SELECT name = expression`. */
  readonly equalsAliases: boolean
  /** A string may be an alias (`SELECT a 'b'`), or even the name of a table. */
  readonly stringAliases: boolean
  /** `SELECT … INTO t` creates a table; elsewhere it assigns a variable. */
  readonly selectInto: boolean
  /** The names of the columns of VALUES, counted from 0. */
  readonly valueNames?: (n: number) => string
  /** `column.field` accesses a struct field. */
  readonly dotFields: boolean
  /** `FROM t, t.items` reads the elements of a column. */
  readonly tablePaths: boolean
  /** `x.*` of an unnested struct returns its fields. */
  readonly structElements: boolean
  /** One DECLARE opens a section of declarations, each with its semicolon, up to BEGIN. */
  readonly declareSections: boolean
  /** The client whose commands may appear between statements. */
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

const DIALECTS: readonly Dialect[] = [
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

const dialectsByName = new Map(DIALECTS.map((dialect) => [dialect.name, dialect]))

/** Every dialect name a caller may use, including aliases. */
export const dialectNames: readonly string[] = [...dialectsByName.keys(), ...Object.keys(aliases)].sort()

export const findDialect = (name: string): Dialect | undefined => {
  const lower = name.toLowerCase()
  return dialectsByName.get(aliases[lower] ?? lower)
}
