/** The statements that read a metastore from its own database. Names are upper case and quoted in all of them. Pure. */

export interface Metastore {
  readonly engine: 'mysql' | 'postgres'
  /** Where its tables are: the database of MySQL, the schema of Postgres. */
  readonly schema: string
}

const quoteName = ({ engine }: Metastore, name: string): string => {
  const mark = engine === 'mysql' ? '`' : '"'
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}
const quoteText = ({ engine }: Metastore, text: string): string =>
  `'${(engine === 'mysql' ? text.replaceAll('\\', '\\\\') : text).replaceAll("'", "''")}'`

/** The tables and columns that are read: those of every version since Hive 1.2. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  VERSION: ['SCHEMA_VERSION'],
  DBS: ['DB_ID', 'NAME', 'DESC', 'DB_LOCATION_URI', 'OWNER_NAME'],
  TBLS: ['TBL_ID', 'DB_ID', 'SD_ID', 'TBL_NAME', 'TBL_TYPE', 'OWNER', 'CREATE_TIME', 'VIEW_ORIGINAL_TEXT', 'VIEW_EXPANDED_TEXT'],
  SDS: ['SD_ID', 'CD_ID', 'SERDE_ID', 'INPUT_FORMAT', 'LOCATION'],
  SERDES: ['SERDE_ID', 'SLIB'],
  COLUMNS_V2: ['CD_ID', 'COLUMN_NAME', 'TYPE_NAME', 'COMMENT', 'INTEGER_IDX'],
  PARTITION_KEYS: ['TBL_ID', 'PKEY_NAME', 'PKEY_TYPE', 'PKEY_COMMENT', 'INTEGER_IDX'],
  TABLE_PARAMS: ['TBL_ID', 'PARAM_KEY', 'PARAM_VALUE'],
}

export interface FeatureRow {
  readonly table_name: string
  readonly column_name: string
}

/** Which tables and columns it has and this user may read. */
export const featuresSql = (at: Metastore): string => {
  const names = [...Object.keys(REQUIRED), 'CTLGS', 'KEY_CONSTRAINTS'].map((name) => `'${name}'`).join(', ')
  return `
  select table_name as ${quoteName(at, 'table_name')}, column_name as ${quoteName(at, 'column_name')} from information_schema.columns
  where table_schema = ${quoteText(at, at.schema)} and table_name in (${names})`
}

/** Builds statements with the quotes of the database: `[NAME]` is a column or alias, `{NAME}` a table of the metastore. */
const build = (at: Metastore, text: string): string =>
  text
    .replace(/\{(\w+)\}/g, (_, name: string) => `${quoteName(at, at.schema)}.${quoteName(at, name)}`)
    .replace(/\[(\w+)\]/g, (_, name: string) => quoteName(at, name))

export const versionSql = (at: Metastore): string => build(at, 'select v.[SCHEMA_VERSION] as [version] from {VERSION} v')

export const countSql = (at: Metastore): string =>
  build(at, 'select (select count(*) from {DBS}) as [databases], (select count(*) from {TBLS}) as [tables]')

export interface DatabaseRow {
  readonly id: number
  /** Since Hive 3. */
  readonly catalog: string | null
  readonly name: string
  readonly comment: string | null
  readonly location: string | null
  readonly owner: string | null
}

export const databasesSql = (at: Metastore, hasCatalogs: boolean): string =>
  build(
    at,
    `
  select d.[DB_ID] as [id], ${hasCatalogs ? 'd.[CTLG_NAME]' : 'null'} as [catalog], d.[NAME] as [name], d.[DESC] as [comment],
    d.[DB_LOCATION_URI] as [location], d.[OWNER_NAME] as [owner]
  from {DBS} d order by d.[NAME], d.[DB_ID]`,
  )

export interface TableRow {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly owner: string | null
  readonly created: number
  readonly original_text: string | null
  readonly expanded_text: string | null
  readonly location: string | null
  readonly input_format: string | null
  readonly serde: string | null
}

/** A page of the tables of a database, after the one with this ID. */
export const tablesSql = (at: Metastore, database: number, after: number, limit: number): string =>
  build(
    at,
    `
  select t.[TBL_ID] as [id], t.[TBL_NAME] as [name], t.[TBL_TYPE] as [type], t.[OWNER] as [owner], t.[CREATE_TIME] as [created],
    t.[VIEW_ORIGINAL_TEXT] as [original_text], t.[VIEW_EXPANDED_TEXT] as [expanded_text],
    s.[LOCATION] as [location], s.[INPUT_FORMAT] as [input_format], e.[SLIB] as [serde]
  from {TBLS} t left join {SDS} s on s.[SD_ID] = t.[SD_ID] left join {SERDES} e on e.[SERDE_ID] = s.[SERDE_ID]
  where t.[DB_ID] = ${toId(database)} and t.[TBL_ID] > ${toId(after)}
  order by t.[TBL_ID] limit ${toId(limit)}`,
  )

export interface ColumnRow {
  readonly table_id: number
  readonly name: string
  readonly type: string | null
  readonly comment: string | null
}

export const columnsSql = (at: Metastore, tables: readonly number[]): string =>
  build(
    at,
    `
  select t.[TBL_ID] as [table_id], c.[COLUMN_NAME] as [name], c.[TYPE_NAME] as [type], c.[COMMENT] as [comment]
  from {TBLS} t join {SDS} s on s.[SD_ID] = t.[SD_ID] join {COLUMNS_V2} c on c.[CD_ID] = s.[CD_ID]
  where t.[TBL_ID] in (${listIds(tables)}) order by t.[TBL_ID], c.[INTEGER_IDX], c.[COLUMN_NAME]`,
  )

export const partitionKeysSql = (at: Metastore, tables: readonly number[]): string =>
  build(
    at,
    `
  select p.[TBL_ID] as [table_id], p.[PKEY_NAME] as [name], p.[PKEY_TYPE] as [type], p.[PKEY_COMMENT] as [comment]
  from {PARTITION_KEYS} p where p.[TBL_ID] in (${listIds(tables)}) order by p.[TBL_ID], p.[INTEGER_IDX]`,
  )

export interface ParameterRow {
  readonly table_id: number
  readonly name: string
  readonly value: string | null
}

export const parametersSql = (at: Metastore, tables: readonly number[]): string =>
  build(
    at,
    `
  select p.[TBL_ID] as [table_id], p.[PARAM_KEY] as [name], p.[PARAM_VALUE] as [value]
  from {TABLE_PARAMS} p where p.[TBL_ID] in (${listIds(tables)}) order by p.[TBL_ID], p.[PARAM_KEY]`,
  )

export interface KeyRow {
  readonly table_id: number
  readonly name: string
  /** 0 is a primary key, 1 a foreign key. */
  readonly type: number
  readonly column: string | null
  readonly to_database: string | null
  readonly to_table: string | null
  readonly to_column: string | null
}

/** Of a primary key, the "parent" is the table itself; of a foreign key, the table it refers to. */
export const keysSql = (at: Metastore, tables: readonly number[]): string =>
  build(
    at,
    `
  select k.[PARENT_TBL_ID] as [table_id], k.[CONSTRAINT_NAME] as [name], k.[CONSTRAINT_TYPE] as [type], c.[COLUMN_NAME] as [column],
    null as [to_database], null as [to_table], null as [to_column], k.[POSITION] as [position]
  from {KEY_CONSTRAINTS} k join {COLUMNS_V2} c on c.[CD_ID] = k.[PARENT_CD_ID] and c.[INTEGER_IDX] = k.[PARENT_INTEGER_IDX]
  where k.[CONSTRAINT_TYPE] = 0 and k.[PARENT_TBL_ID] in (${listIds(tables)})
  union all
  select k.[CHILD_TBL_ID], k.[CONSTRAINT_NAME], k.[CONSTRAINT_TYPE], c.[COLUMN_NAME], d.[NAME], t.[TBL_NAME], r.[COLUMN_NAME], k.[POSITION]
  from {KEY_CONSTRAINTS} k join {COLUMNS_V2} c on c.[CD_ID] = k.[CHILD_CD_ID] and c.[INTEGER_IDX] = k.[CHILD_INTEGER_IDX]
  join {COLUMNS_V2} r on r.[CD_ID] = k.[PARENT_CD_ID] and r.[INTEGER_IDX] = k.[PARENT_INTEGER_IDX]
  join {TBLS} t on t.[TBL_ID] = k.[PARENT_TBL_ID] join {DBS} d on d.[DB_ID] = t.[DB_ID]
  where k.[CONSTRAINT_TYPE] = 1 and k.[CHILD_TBL_ID] in (${listIds(tables)})
  order by 1, 2, 8`,
  )

/** They come from the metastore, and are written into statements. */
const toId = (value: number): string => {
  if (!Number.isSafeInteger(Number(value))) throw new Error('An ID of the metastore is not a whole number.')
  return String(Number(value))
}
const listIds = (ids: readonly number[]): string => ids.map(toId).join(', ')
