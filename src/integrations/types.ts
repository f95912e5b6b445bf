/** The kinds of source an integration can be: what differs between them, as data. A form can be drawn from it, and bodies are checked by it. */
export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'boolean'
  /** Must be given before the source can be reached. */
  readonly required: boolean
  /** Goes in and never comes out. */
  readonly secret: boolean
  /** Decides where secrets are sent, or how they are protected on their way: whoever changes it gives them again. */
  readonly destination: boolean
  /** May have several lines: a key, a certificate. */
  readonly multiline: boolean
  readonly default: string | number | boolean | null
  readonly help: string | null
}

export interface IntegrationType {
  readonly type: string
  readonly label: string
  readonly icon: string
  readonly category: 'push' | 'database' | 'warehouse' | 'transformation'
  /** Nothing to connect to: it reports by itself, through the API. */
  readonly pushes_only: boolean
  readonly fields: readonly CredentialField[]
}

type More = Partial<Omit<CredentialField, 'name' | 'label' | 'kind'>>

const field = (kind: CredentialField['kind'], name: string, label: string, more: More = {}): CredentialField => ({
  name,
  label,
  kind,
  required: false,
  secret: false,
  destination: false,
  multiline: false,
  default: null,
  help: null,
  ...more,
})
const text = (name: string, label: string, more?: More) => field('text', name, label, more)
const secret = (name: string, label: string, more?: More) => field('text', name, label, { ...more, secret: true })

const NEEDED = { required: true }
const DESTINATION = { destination: true }
const HOST = text('host', 'Host', { ...NEEDED, ...DESTINATION })
const DATABASE = text('database', 'Database')
const USER = text('user', 'User', NEEDED)
const PASSWORD = secret('password', 'Password')
const port = (usual: number) => field('number', 'port', 'Port', { ...DESTINATION, default: usual })
const ssl = (usual: boolean) => field('boolean', 'ssl', 'Use TLS', { ...DESTINATION, default: usual })
const server = (usualPort: number) => [HOST, port(usualPort), { ...DATABASE, ...NEEDED }, USER, PASSWORD, ssl(false)]
const PATTERNS = 'Patterns with commas between, as public.*, *.tmp_*'
const SYNCED = [
  text('include', 'Include', { help: `${PATTERNS}. Empty: everything.` }),
  text('exclude', 'Exclude', { help: `${PATTERNS}.` }),
  field('number', 'archive_after_days', 'Archive after', {
    default: 30,
    help: 'Days that something may be gone from the source before it is archived.',
  }),
]
const FUNCTIONS = text('allowed_functions', 'Functions', {
  help: 'Functions that custom SQL may call beside the usual ones, with commas between, as app.score, st_area.',
})
/** Every source that is asked about its data, but one that limits what is billed by itself. */
export const MOST_ROWS = 'max_million_rows'
const ASKED = [
  field('number', MOST_ROWS, 'Million rows at most', {
    default: 1000,
    help: 'A monitor that would have the source read more at once is refused.',
  }),
  FUNCTIONS,
  ...SYNCED,
]
const HISTORY = field('boolean', 'query_history', 'Query history', {
  default: false,
  help: 'Tell of the 500 queries asked most, from pg_stat_statements. Texts of other roles need the role pg_read_all_stats.',
})
const history = (help: string) => ({
  ...HISTORY,
  help: `Tell of the 500 queries asked most in the last week, without their values. ${help}`,
})
const CA = text('ca', 'Certificate authority', {
  ...DESTINATION,
  multiline: true,
  help: 'PEM. Who vouches for the server, when nobody the system knows does.',
})
const FILE = [text('path', 'Path', { ...NEEDED, ...DESTINATION, help: 'Inside the folder TABLINUM_FILES.' })]

const ALL: readonly IntegrationType[] = [
  { type: 'custom', label: 'Custom', icon: 'plug', category: 'push', pushes_only: true, fields: [] },
  { type: 'openlineage', label: 'OpenLineage', icon: 'workflow', category: 'push', pushes_only: true, fields: [] },
  {
    type: 'postgres',
    label: 'PostgreSQL',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [...server(5432), CA, ...ASKED, HISTORY],
  },
  {
    type: 'mysql',
    label: 'MySQL, MariaDB',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(3306),
      { ...DATABASE, help: 'Empty: all that the user may see.' },
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...ASKED,
      {
        ...HISTORY,
        help: 'Tell of the 500 queries asked most, from performance_schema. Needs SELECT on its events_statements_summary_by_digest.',
      },
    ],
  },
  { type: 'sqlite', label: 'SQLite', icon: 'database', category: 'database', pushes_only: false, fields: [...FILE, ...ASKED] },
  {
    type: 'duckdb',
    label: 'DuckDB',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      text('path', 'Path', {
        ...NEEDED,
        ...DESTINATION,
        help: 'Inside the folder TABLINUM_FILES: a database file, or a folder of Parquet, CSV and JSON files.',
      }),
      ...ASKED,
    ],
  },
  {
    type: 'clickhouse',
    label: 'ClickHouse',
    icon: 'database',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      HOST,
      port(8123),
      { ...DATABASE, help: 'Empty: all that the user may see.' },
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...ASKED,
      history('Needs SELECT on system.query_log.'),
    ],
  },
  {
    type: 'redshift',
    label: 'Amazon Redshift',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [...server(5439).slice(0, -1), ssl(true), CA, ...ASKED, history('Needs SYSLOG ACCESS UNRESTRICTED to see those of others.')],
  },
  {
    type: 'snowflake',
    label: 'Snowflake',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      text('account', 'Account', { ...NEEDED, ...DESTINATION, help: 'As in <account>.snowflakecomputing.com.' }),
      USER,
      PASSWORD,
      secret('private_key', 'Private key', { multiline: true, help: 'Instead of a password: PEM, PKCS 8.' }),
      text('warehouse', 'Warehouse', NEEDED),
      text('role', 'Role'),
      { ...DATABASE, help: 'Empty: all that the role may use.' },
      ...ASKED,
      history('Needs the privilege IMPORTED PRIVILEGES on the database SNOWFLAKE.'),
    ],
  },
  {
    type: 'bigquery',
    label: 'Google BigQuery',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      text('project', 'Project', NEEDED),
      text('location', 'Location'),
      secret('service_account', 'Service account', { ...NEEDED, multiline: true, help: 'The key file, JSON.' }),
      field('number', 'max_gigabytes', 'Gigabytes at most', {
        default: 100,
        help: 'A query that would be billed for more is refused by BigQuery.',
      }),
      FUNCTIONS,
      ...SYNCED,
      history('Needs the role BigQuery Resource Viewer, and a location.'),
    ],
  },
  {
    type: 'databricks',
    label: 'Databricks',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      HOST,
      text('http_path', 'HTTP path', { ...NEEDED, ...DESTINATION, help: 'Of a SQL warehouse, as /sql/1.0/warehouses/….' }),
      secret('token', 'Token', NEEDED),
      text('catalog', 'Catalog', { help: 'Empty: all that the token may use.' }),
      ...ASKED,
      history('Needs SELECT on system.query.history.'),
    ],
  },
  {
    type: 'trino',
    label: 'Trino',
    icon: 'warehouse',
    category: 'warehouse',
    pushes_only: false,
    fields: [
      HOST,
      port(8080),
      USER,
      { ...PASSWORD, help: 'Only with TLS.' },
      text('catalog', 'Catalog', { help: 'Empty: all of them.' }),
      ssl(false),
      CA,
      ...ASKED,
      history('What the coordinator still remembers, in system.runtime.queries.'),
    ],
  },
  {
    type: 'dbt',
    label: 'dbt',
    icon: 'git-branch',
    category: 'transformation',
    pushes_only: false,
    fields: [
      text('path', 'Path', { ...DESTINATION, help: 'The folder of the artifacts, inside the folder TABLINUM_FILES.' }),
      text('url', 'Address', { ...DESTINATION, help: 'Where the artifacts can be fetched from.' }),
      secret('token', 'Token', { help: 'Sent to that address as a bearer token.' }),
      text('warehouse', 'Warehouse', {
        help: 'The ID of the integration the project builds in, where several have tables of the same names.',
      }),
      SYNCED.at(-1)!,
    ],
  },
]

export const TYPES: ReadonlyMap<string, IntegrationType> = new Map(ALL.map((each) => [each.type, each]))
export const TYPE_NAMES: readonly string[] = [...TYPES.keys()]

export const typeOf = (type: string): IntegrationType => {
  const found = TYPES.get(type)
  if (!found) throw new Error(`unknown integration type ${type}`)
  return found
}
