/** The tables of a Hive metastore that are read, with the names, columns and types of Hive's own scripts (hive-schema-3.1.0), and a shop in them. */
type Engine = 'mysql' | 'postgres'

const TABLES: Readonly<Record<string, string>> = {
  VERSION: 'VER_ID bigint not null, SCHEMA_VERSION varchar(127) not null, VERSION_COMMENT varchar(255)',
  CTLGS: 'CTLG_ID bigint not null, NAME varchar(256), DESC varchar(4000), LOCATION_URI varchar(4000) not null',
  DBS: 'DB_ID bigint not null, DESC varchar(4000), DB_LOCATION_URI varchar(4000) not null, NAME varchar(128), OWNER_NAME varchar(128), OWNER_TYPE varchar(10), CTLG_NAME varchar(256) not null',
  TBLS: 'TBL_ID bigint not null, CREATE_TIME bigint not null, DB_ID bigint, LAST_ACCESS_TIME bigint not null, OWNER varchar(767), OWNER_TYPE varchar(10), RETENTION bigint not null, SD_ID bigint, TBL_NAME varchar(256), TBL_TYPE varchar(128), VIEW_EXPANDED_TEXT text, VIEW_ORIGINAL_TEXT text, IS_REWRITE_ENABLED boolean not null',
  SDS: 'SD_ID bigint not null, INPUT_FORMAT varchar(4000), IS_COMPRESSED boolean not null, LOCATION varchar(4000), NUM_BUCKETS bigint not null, OUTPUT_FORMAT varchar(4000), SERDE_ID bigint, CD_ID bigint, IS_STOREDASSUBDIRECTORIES boolean not null',
  SERDES: 'SERDE_ID bigint not null, NAME varchar(128), SLIB varchar(4000)',
  COLUMNS_V2:
    'CD_ID bigint not null, COMMENT varchar(4000), COLUMN_NAME varchar(767) not null, TYPE_NAME text, INTEGER_IDX integer not null',
  PARTITION_KEYS:
    'TBL_ID bigint not null, PKEY_COMMENT varchar(4000), PKEY_NAME varchar(128) not null, PKEY_TYPE varchar(767) not null, INTEGER_IDX bigint not null',
  TABLE_PARAMS: 'TBL_ID bigint not null, PARAM_KEY varchar(256) not null, PARAM_VALUE text',
  KEY_CONSTRAINTS:
    'CHILD_CD_ID bigint, CHILD_INTEGER_IDX bigint, CHILD_TBL_ID bigint, PARENT_CD_ID bigint, PARENT_INTEGER_IDX bigint not null, PARENT_TBL_ID bigint not null, POSITION bigint not null, CONSTRAINT_NAME varchar(400) not null, CONSTRAINT_TYPE smallint not null, UPDATE_RULE smallint, DELETE_RULE smallint, ENABLE_VALIDATE_RELY smallint not null, DEFAULT_VALUE varchar(400)',
}

type Value = string | number | boolean | null
type Rows = Readonly<Record<string, readonly (readonly Value[])[]>>

const SPARK_SCHEMA = JSON.stringify({
  type: 'struct',
  fields: [
    { name: 'customerId', type: 'long', nullable: false, metadata: { comment: 'Who bought.' } },
    {
      name: 'lines',
      type: { type: 'array', elementType: { type: 'struct', fields: [{ name: 'sku', type: 'string', nullable: true, metadata: {} }] } },
      nullable: true,
      metadata: {},
    },
    { name: 'day', type: 'date', nullable: true, metadata: {} },
  ],
})

const PRESTO_VIEW = `/* Presto View: ${Buffer.from(JSON.stringify({ originalSql: 'select id from orders', schema: 'sales' })).toString('base64')} */`
const [PARQUET, TEXT] = ['org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat', 'org.apache.hadoop.mapred.TextInputFormat']
const storage = (id: number, format: string, location: string | null = null) => [id, format, false, location, -1, null, id, id, false]
const table = (id: number, database: number, name: string, type: string, view: string | null = null, original = view) => [
  ...[id, 1_775_000_000, database, 0, id === 1 ? 'ada@example.com' : 'etl', 'USER', 0, id, name, type, view, original, false],
]

const SHOP: Rows = {
  VERSION: [[1, '3.1.0', 'Hive release version 3.1.0']],
  CTLGS: [[1, 'hive', 'Default catalog, for Hive', '/warehouse']],
  DBS: [
    [1, 'The sales.', 'hdfs://lake/sales', 'sales', 'ada@example.com', 'USER', 'hive'],
    [2, null, 'hdfs://lake/other', 'sales', 'etl', 'ROLE', 'spark'],
  ],
  TBLS: [
    table(1, 1, 'orders', 'EXTERNAL_TABLE'),
    table(2, 1, 'order_ids', 'VIRTUAL_VIEW', 'select `orders`.`id` from `sales`.`orders`', 'select id from orders'),
    table(3, 1, 'spark_orders', 'MANAGED_TABLE'),
    table(4, 1, 'trino_ids', 'VIRTUAL_VIEW', '/* Presto View */', PRESTO_VIEW),
    table(5, 1, 'tmp_x', 'MANAGED_TABLE'),
    table(6, 2, 'orders', 'MANAGED_TABLE'),
    table(7, 1, 'customers', 'MANAGED_TABLE'),
  ],
  SDS: [storage(1, PARQUET, 'hdfs://lake/sales/orders'), ...[2, 3, 4, 5, 6, 7].map((id) => storage(id, TEXT))],
  SERDES: [[1, null, 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe']],
  COLUMNS_V2: [
    [1, 'Its number.', 'id', 'bigint', 0],
    [1, null, 'address', 'struct<city:string,zip:int>', 1],
    [1, null, 'customer', 'bigint', 2],
    [2, null, 'id', 'bigint', 0],
    [3, 'from deserializer', 'col', 'array<string>', 0],
    [4, null, 'id', 'bigint', 0],
    [5, null, 'x', 'int', 0],
    [6, null, 'id', 'bigint', 0],
    [7, null, 'id', 'bigint', 0],
  ],
  PARTITION_KEYS: [
    [1, null, 'day', 'date', 0],
    [3, null, 'day', 'date', 0],
  ],
  TABLE_PARAMS: [
    [1, 'comment', 'All orders.'],
    [1, 'numRows', '42'],
    [1, 'totalSize', '4096'],
    [1, 'transient_lastDdlTime', '1775000100'],
    [1, 'domain', 'sales'],
    [1, 'jdbc.password', 'swordfish'],
    [3, 'numRows', '-1'],
    [3, 'spark.sql.sources.provider', 'delta'],
    [3, 'spark.sql.sources.schema.numParts', '2'],
    [3, 'spark.sql.sources.schema.part.0', SPARK_SCHEMA.slice(0, 60)],
    [3, 'spark.sql.sources.schema.part.1', SPARK_SCHEMA.slice(60)],
  ],
  KEY_CONSTRAINTS: [
    [null, null, null, 1, 0, 1, 1, 'pk_orders', 0, null, null, 0, null],
    [1, 2, 1, 7, 0, 7, 1, 'fk_customer', 1, 0, 0, 0, null],
  ],
}

const COLUMN = /(?:^|(?<=, ))([A-Z][A-Z0-9_]*)(?= )/g

/** The statements that create it. */
export const createMetastore = (engine: Engine): string[] => {
  const mark = engine === 'mysql' ? '`' : '"'
  const quote = (name: string) => `${mark}${name}${mark}`
  const write = (value: Value): string =>
    typeof value === 'string' ? `'${(engine === 'mysql' ? value.replaceAll('\\', '\\\\') : value).replaceAll("'", "''")}'` : String(value)
  return Object.entries(TABLES).flatMap(([name, columns]) => [
    `create table ${quote(name)} (${columns.replace(COLUMN, (_, column: string) => quote(column))})`,
    ...(SHOP[name] ?? []).map((row) => `insert into ${quote(name)} values (${row.map(write).join(', ')})`),
  ])
}
