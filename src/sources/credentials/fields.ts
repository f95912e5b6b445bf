import { TLS_SETTINGS } from '../connectors/tls/tls-settings.ts'

/** A field of the form of an integration, and of the request bodies that are checked against it. */
export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'boolean'
  /** Required to connect to the source. */
  readonly required: boolean
  /** Write-only: never returned. */
  readonly secret: boolean
  /** Affects where secrets are sent or how they are protected: when it changes, secrets must be entered again. */
  readonly destination: boolean
  /** May span several lines: a key, a certificate. */
  readonly multiline: boolean
  readonly default: string | number | boolean | null
  readonly help: string | null
}

type FieldOptions = Partial<Omit<CredentialField, 'name' | 'label' | 'kind'>>

export const field = (kind: CredentialField['kind'], name: string, label: string, more: FieldOptions = {}): CredentialField => ({
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
export const textField = (name: string, label: string, more?: FieldOptions) => field('text', name, label, more)
export const secretField = (name: string, label: string, more?: FieldOptions) => field('text', name, label, { ...more, secret: true })

export const REQUIRED = { required: true }
export const DESTINATION = { destination: true }
export const HOST = textField('host', 'Host', { ...REQUIRED, ...DESTINATION })
export const DATABASE = textField('database', 'Database')
export const USER = textField('user', 'User', REQUIRED)
export const PASSWORD = secretField('password', 'Password')
export const port = (defaultPort: number) => field('number', 'port', 'Port', { ...DESTINATION, default: defaultPort })
export const ssl = (defaultValue: boolean) => field('boolean', 'ssl', 'Use TLS', { ...DESTINATION, default: defaultValue })
export const serverFields = (defaultPort: number) => [HOST, port(defaultPort), { ...DATABASE, ...REQUIRED }, USER, PASSWORD, ssl(false)]
const PATTERNS = 'Comma-separated patterns, e.g. public.*, *.tmp_*'
export const SYNC_FIELDS = [
  textField('include', 'Include', { help: `${PATTERNS}. Leave blank to include everything.` }),
  textField('exclude', 'Exclude', { help: `${PATTERNS}.` }),
  field('number', 'archive_after_days', 'Archive after (days)', {
    default: 30,
    help: 'Days after which a resource that is missing from the source is archived.',
  }),
]
export const FUNCTIONS_FIELD = textField('allowed_functions', 'Allowed functions', {
  help: 'Additional functions that custom SQL may call, comma-separated, e.g. app.score, st_area.',
})
/** Every source that runs queries, except those that limit the billed bytes themselves. */
export const ROW_LIMIT_FIELD = 'max_million_rows'
export const ROW_LIMIT = field('number', ROW_LIMIT_FIELD, 'Row limit in millions', {
  default: 1000,
  help: 'Monitor queries that would scan more rows are rejected.',
})
export const QUERY_FIELDS = [ROW_LIMIT, FUNCTIONS_FIELD, ...SYNC_FIELDS]
export const HISTORY_FIELD = field('boolean', 'query_history', 'Query history', {
  default: false,
  help: 'Import the 500 most frequent queries from pg_stat_statements. Reading the texts of other roles requires the role pg_read_all_stats.',
})
export const historyField = (help: string) => ({
  ...HISTORY_FIELD,
  help: `Import the 500 most frequent queries of the last week, without literal values. ${help}`,
})
export const CA = textField('ca', TLS_SETTINGS.ca.title, { ...DESTINATION, multiline: true, help: TLS_SETTINGS.ca.description })

export const ARCHIVE_FIELD = SYNC_FIELDS.at(-1)!

const NAMES = 'Comma-separated patterns of names with their folders, e.g. Sales.*, *.tmp_*'
/** The same patterns for what is not a table. */
export const NAME_FIELDS = [
  textField('include', 'Include', { help: `${NAMES}. Leave blank to include everything.` }),
  textField('exclude', 'Exclude', { help: `${NAMES}.` }),
]
