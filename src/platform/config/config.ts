import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type OtlpConfig, parseOtlpConfig } from './otlp-config.ts'
import { ConfigError, parseChoice, parseInteger, parseUrl } from './parse.ts'

export { ConfigError }

/** The only reader of the environment and the command line. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Unset: the embedded Postgres in `dataFolder`. */
  readonly databaseUrl?: string
  /** Streaming replicas of the database that answer reads. */
  readonly replicaUrls: readonly string[]
  readonly dataFolder: string
  readonly adminToken?: string
  /** Token required by `/metrics`; unset: none. */
  readonly metricsToken?: string
  /** Port on which a worker without the API serves health checks and metrics; unset: it serves none. */
  readonly metricsPort?: number
  /** Requests per token and minute; 0 = off. */
  readonly rateLimit: number
  readonly publicUrl?: string
  /** Encrypt the secrets of integrations: the first key encrypts, all decrypt. Unset: a key file in `dataFolder`. */
  readonly secretKeys: readonly string[]
  /** Folder of file-based sources; unset: they are disabled. */
  readonly filesFolder?: string
  /** Folder of scheduled backups; unset: there are none. */
  readonly backupsFolder?: string
  /** Unset: no e-mail notifications. */
  readonly smtpUrl?: string
  /** Sender of e-mails. */
  readonly smtpFrom: string
  /** Unset: no Slack notifications. */
  readonly slackBotToken?: string
  readonly slackApiUrl: string
  /** Verifies clicks on buttons of Slack messages. Unset: messages have none. */
  readonly slackSigningSecret?: string
  /** Hosts, addresses and networks that webhooks may call besides the public internet. */
  readonly webhookAllow: readonly string[]
  /** The same for files of sources. */
  readonly sourceAllow: readonly string[]
  /** Connectors of the operator: the program and its arguments, by name. */
  readonly connectorPrograms: ReadonlyMap<string, readonly string[]>
  /** Whether admins may have drivers of sources installed. */
  readonly driverInstall: boolean
  /** How npm is configured on this machine. */
  readonly npm: { readonly env: Readonly<Record<string, string>> }
  /** How long people stay signed in. */
  readonly sessions: { readonly days: number; readonly idle_days: number }
  /** The identity provider users sign in with; unset: none. */
  readonly oidc?: OidcConfig
  /** An OpenTelemetry collector; unset: nothing is traced. */
  readonly otlp?: OtlpConfig
  /** An OpenAI-compatible embeddings service for search; unset: search by words only. */
  readonly embeddings?: EmbeddingsConfig
  /** Proxies trusted to report the caller's address: `true` for any, or their addresses. */
  readonly trustProxy: boolean | string
  readonly role: 'web' | 'worker' | 'all'
  readonly demo: boolean
  readonly logLevel: string
  /** How long one request may take before it times out and its SQL is cancelled. */
  readonly requestTimeoutMs: number
  /** Connections to the database, by purpose. */
  readonly pools: { readonly request: number; readonly background: number; readonly transfer: number }
  /** The pools whose size was set explicitly. */
  readonly poolsSet: readonly ('request' | 'background' | 'transfer')[]
  /** Bytes of all caches of a process together. */
  readonly cacheBytes: number
  readonly workers: WorkerSlots
  /** Web processes that share one port. */
  readonly processes: number
  /** This is one of several processes on the port, started by the first one. */
  readonly sharePort: boolean
}

/** How many background tasks of each class one process runs at once. */
export interface WorkerSlots {
  /** The scheduler: queueing what is due, and housekeeping. */
  readonly clock: number
  /** Monitor runs. */
  readonly monitors: number
  readonly syncs: number
  /** Everything else that may take minutes: profiles, scans, imports, deletions. */
  readonly long: number
}

export interface EmbeddingsConfig {
  /** Without `/embeddings`. */
  readonly url: string
  readonly key?: string
  readonly model: string
  /** Asked for; unset: as many as the model has. */
  readonly dimensions?: number
}

export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Display name. */
  readonly name: string
  /** Only e-mail addresses of these domains may sign in; empty: any. */
  readonly domains: readonly string[]
  /** Role of users created at their first sign-in; unset: only existing users may sign in. */
  readonly role?: 'editor' | 'viewer' | 'guest'
  /** Trust the provider's e-mail addresses even if it does not report them as verified. */
  readonly trustEmails: boolean
}

/** Connections left for other background work while all sync slots are busy. */
export const CONNECTIONS_BESIDE_SYNCS = 4

const parseSlots = (name: string, value: string): number => parseInteger(name, value, 1, 64)

/** Comma-separated URLs. */
const parseReplicaUrls = ({ DATABASE_URL, DATABASE_REPLICA_URL = '' }: NodeJS.ProcessEnv): string[] => {
  const urls = DATABASE_REPLICA_URL.split(',').flatMap((url) => url.trim() || [])
  for (const url of urls) parseUrl('DATABASE_REPLICA_URL', url, ['postgres:', 'postgresql:'])
  if (urls.length > 0 && !DATABASE_URL)
    throw new ConfigError('DATABASE_REPLICA_URL requires DATABASE_URL: the embedded Postgres has no replicas.')
  if (urls.length > MAX_REPLICAS) throw new ConfigError(`DATABASE_REPLICA_URL can list at most ${MAX_REPLICAS} replicas.`)
  return urls
}
const MAX_REPLICAS = 16

const getHostname = (address: string | undefined): string => (address && URL.canParse(address) ? new URL(address).hostname : 'localhost')

const MIN_KEY_LENGTH = 8
const RECOMMENDED_KEY_LENGTH = 16
const MIN_TOKEN_LENGTH = 16

const parseToken = (name: string, value: string | undefined): string | undefined => {
  // The value is a secret, so it is not repeated.
  if (value !== undefined && (value.length < MIN_TOKEN_LENGTH || /\s/.test(value)))
    throw new ConfigError(`${name} must have at least ${MIN_TOKEN_LENGTH} characters and no spaces. Generate one: openssl rand -hex 32`)
  return value
}

/** Comma-separated keys. */
const parseKeys = (name: string, value = ''): string[] => {
  const all = value.split(',').flatMap((key) => key.trim() || [])
  // The value is a secret, so it is not repeated.
  if (all.some((key) => key.length < MIN_KEY_LENGTH))
    throw new ConfigError(`${name} must have at least ${MIN_KEY_LENGTH} characters. Generate one: openssl rand -base64 32`)
  return all
}

/** Comma-separated hosts, addresses and networks: `hooks.internal,10.0.0.7,10.1.0.0/16`. */
const parseHosts = (name: string, value = ''): string[] => {
  const all = value.split(',').flatMap((entry) => entry.trim() || [])
  const wrong = all.find((entry) => !isHost(entry))
  if (wrong !== undefined) throw new ConfigError(`${name} must list hosts, addresses or networks, e.g. 10.1.0.0/16, not "${wrong}".`)
  return all
}

const isHost = (entry: string): boolean => {
  const [net = '', prefix, ...more] = entry.split('/')
  const bits = isIP(net) === 6 ? 128 : 32
  if (prefix !== undefined) return isIP(net) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits && more.length === 0
  return isIP(net) !== 0 || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(net)
}

/** JSON such as `{"jira": ["python3", "/opt/connectors/jira.py"]}`. */
const parsePrograms = (name: string, value = '{}'): Map<string, readonly string[]> => {
  const wrong = new ConfigError(`${name} must be JSON such as {"jira": ["python3", "/opt/connectors/jira.py"]}.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    throw wrong
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw wrong
  return new Map(
    Object.entries(parsed).map(([connector, command]) => {
      const isCommand = Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string' && part !== '')
      if (!/^[a-z][a-z0-9_-]{0,49}$/.test(connector) || !isCommand) throw wrong
      return [connector, command]
    }),
  )
}

/** What npm reads of the environment: none of our secrets. */
const NPM_VARIABLES = /^(?:npm_config_.+|(?:https?|no|all)_proxy|PATH|HOME|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i

const pickNpmEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && NPM_VARIABLES.test(name) ? [[name, value]] : [])),
  )

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const parseOidcConfig = (env: NodeJS.ProcessEnv): OidcConfig | undefined => {
  const issuer = parseUrl('OIDC_ISSUER', env.OIDC_ISSUER, ['https:', 'http:'])
  if (!issuer) return undefined
  if (issuer.startsWith('http:') && !LOOPBACK.includes(new URL(issuer).hostname))
    throw new ConfigError('OIDC_ISSUER must be a URL that starts with https://.')
  if (!env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET) throw new ConfigError('OIDC_ISSUER requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.')
  return {
    issuer,
    clientId: env.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    name: env.OIDC_NAME || new URL(issuer).hostname,
    domains: (env.OIDC_ALLOWED_DOMAINS ?? '').split(',').flatMap((domain) => domain.trim().toLowerCase() || []),
    role: env.OIDC_ROLE ? parseChoice('OIDC_ROLE', env.OIDC_ROLE, ['editor', 'viewer', 'guest'] as const) : undefined,
    trustEmails: env.OIDC_TRUST_EMAILS === 'true',
  }
}

const parseEmbeddingsConfig = (env: NodeJS.ProcessEnv): EmbeddingsConfig | undefined => {
  const url = parseUrl('TABLINUM_EMBEDDINGS_URL', env.TABLINUM_EMBEDDINGS_URL, ['https:', 'http:'])
  if (!url) return undefined
  if (!env.TABLINUM_EMBEDDINGS_MODEL) throw new ConfigError('TABLINUM_EMBEDDINGS_URL requires TABLINUM_EMBEDDINGS_MODEL.')
  return {
    url: url.replace(/\/+$/, ''),
    key: env.TABLINUM_EMBEDDINGS_KEY?.trim(),
    model: env.TABLINUM_EMBEDDINGS_MODEL,
    dimensions: env.TABLINUM_EMBEDDINGS_DIMENSIONS
      ? parseInteger('TABLINUM_EMBEDDINGS_DIMENSIONS', env.TABLINUM_EMBEDDINGS_DIMENSIONS, 64, 4096)
      : undefined,
  }
}

/** Beside the embedded Postgres by default. With another database, the data folder may be gone with its container, so it must be chosen. */
const parseBackupsFolder = ({ TABLINUM_BACKUPS, TABLINUM_DATA, DATABASE_URL }: NodeJS.ProcessEnv): string | undefined => {
  if (TABLINUM_BACKUPS) return resolve(TABLINUM_BACKUPS)
  return DATABASE_URL ? undefined : resolve(TABLINUM_DATA || '.data', 'backups')
}

/** Compose files and shells pass an unset setting as an empty string. */
const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))

/** Settings that work but should be changed. */
export const findConfigWarnings = ({ secretKeys, host, metricsToken, metricsPort, role }: Config): string[] => [
  ...(secretKeys.some((key) => key.length < RECOMMENDED_KEY_LENGTH)
    ? [
        `TABLINUM_SECRET_KEY is shorter than ${RECOMMENDED_KEY_LENGTH} characters and may be guessed. Put a longer key in front of it: new,old.`,
      ]
    : []),
  ...((role !== 'worker' || metricsPort !== undefined) && metricsToken === undefined && !LOOPBACK.includes(host) && host !== '::1'
    ? ['/metrics is readable by everyone who can reach this server. Set TABLINUM_METRICS_TOKEN to require a token.']
    : []),
]

export const readConfig = (environment: NodeJS.ProcessEnv, args: string[]): Config => {
  const env = withoutEmpty(environment)
  const { values: flags } = parseArgs({
    args,
    options: {
      role: { type: 'string', default: 'all' },
      demo: { type: 'boolean', default: false },
      port: { type: 'string' },
      host: { type: 'string' },
      processes: { type: 'string' },
      'share-port': { type: 'boolean', default: false },
    },
  })
  const workers: WorkerSlots = {
    clock: parseSlots('TABLINUM_WORKERS_CLOCK', env.TABLINUM_WORKERS_CLOCK || '5'),
    monitors: parseSlots('TABLINUM_WORKERS_MONITORS', env.TABLINUM_WORKERS_MONITORS || '4'),
    syncs: parseSlots('TABLINUM_WORKERS_SYNCS', env.TABLINUM_WORKERS_SYNCS || '2'),
    long: parseSlots('TABLINUM_WORKERS_LONG', env.TABLINUM_WORKERS_LONG || '4'),
  }
  return {
    host: flags.host || (env.HOST ?? '127.0.0.1'),
    port: parseInteger('PORT', flags.port || (env.PORT ?? '3000'), 0, 65535),
    databaseUrl: parseUrl('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']),
    replicaUrls: parseReplicaUrls(env),
    dataFolder: resolve(env.TABLINUM_DATA || '.data'),
    adminToken: parseToken('TABLINUM_ADMIN_TOKEN', env.TABLINUM_ADMIN_TOKEN),
    metricsToken: parseToken('TABLINUM_METRICS_TOKEN', env.TABLINUM_METRICS_TOKEN),
    metricsPort: env.TABLINUM_METRICS_PORT ? parseInteger('TABLINUM_METRICS_PORT', env.TABLINUM_METRICS_PORT, 0, 65535) : undefined,
    rateLimit: parseInteger('TABLINUM_RATE_LIMIT', env.TABLINUM_RATE_LIMIT ?? '6000', 0, 1_000_000_000),
    publicUrl: parseUrl('PUBLIC_URL', env.PUBLIC_URL, ['http:', 'https:'])?.replace(/\/+$/, ''),
    secretKeys: parseKeys('TABLINUM_SECRET_KEY', env.TABLINUM_SECRET_KEY),
    filesFolder: env.TABLINUM_FILES ? resolve(env.TABLINUM_FILES) : undefined,
    backupsFolder: parseBackupsFolder(env),
    smtpUrl: parseUrl('SMTP_URL', env.SMTP_URL, ['smtp:', 'smtps:']),
    smtpFrom: env.SMTP_FROM || `Tablinum <tablinum@${getHostname(env.PUBLIC_URL)}>`,
    sessions: {
      days: parseInteger('TABLINUM_SESSION_DAYS', env.TABLINUM_SESSION_DAYS ?? '30', 1, 400),
      idle_days: parseInteger('TABLINUM_SESSION_IDLE_DAYS', env.TABLINUM_SESSION_IDLE_DAYS ?? '7', 1, 400),
    },
    oidc: parseOidcConfig(env),
    otlp: parseOtlpConfig(env),
    embeddings: parseEmbeddingsConfig(env),
    trustProxy: env.TABLINUM_TRUST_PROXY === 'true' || (env.TABLINUM_TRUST_PROXY ?? '').replace(/^false$/, '') || false,
    slackBotToken: env.SLACK_BOT_TOKEN || undefined,
    slackSigningSecret: env.SLACK_SIGNING_SECRET?.trim() || undefined,
    slackApiUrl: parseUrl('SLACK_API_URL', env.SLACK_API_URL, ['https:', 'http:']) ?? 'https://slack.com/api',
    sourceAllow: parseHosts('TABLINUM_SOURCE_ALLOW', env.TABLINUM_SOURCE_ALLOW),
    connectorPrograms: parsePrograms('TABLINUM_CONNECTORS', env.TABLINUM_CONNECTORS),
    driverInstall: parseChoice('TABLINUM_DRIVER_INSTALL', env.TABLINUM_DRIVER_INSTALL ?? 'on', ['on', 'off']) === 'on',
    npm: { env: pickNpmEnvironment(env) },
    webhookAllow: parseHosts('TABLINUM_WEBHOOK_ALLOW', env.TABLINUM_WEBHOOK_ALLOW),
    role: parseChoice('--role', flags.role, ['web', 'worker', 'all']),
    demo: flags.demo,
    logLevel: parseChoice('LOG_LEVEL', env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'), [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
    requestTimeoutMs: parseInteger('TABLINUM_REQUEST_TIMEOUT', env.TABLINUM_REQUEST_TIMEOUT ?? '30', 1, 3600) * 1000,
    pools: {
      request: parseInteger('TABLINUM_POOL', env.TABLINUM_POOL || '10', 2, 200),
      // A sync holds a connection until it ends: with fewer connections, syncs would wait for each other forever.
      background: Math.max(
        parseInteger('TABLINUM_BACKGROUND_POOL', env.TABLINUM_BACKGROUND_POOL || '8', 4, 200),
        workers.syncs + CONNECTIONS_BESIDE_SYNCS,
      ),
      transfer: parseInteger('TABLINUM_TRANSFER_POOL', env.TABLINUM_TRANSFER_POOL || '4', 1, 50),
    },
    poolsSet: [
      ...(env.TABLINUM_POOL ? (['request'] as const) : []),
      ...(env.TABLINUM_BACKGROUND_POOL ? (['background'] as const) : []),
      ...(env.TABLINUM_TRANSFER_POOL ? (['transfer'] as const) : []),
    ],
    cacheBytes: parseInteger('TABLINUM_CACHE_MB', env.TABLINUM_CACHE_MB || '256', 8, 65_536) * 1024 * 1024,
    workers,
    processes: flags['share-port'] ? 1 : parseInteger('TABLINUM_PROCESSES', flags.processes || (env.TABLINUM_PROCESSES ?? '1'), 1, 64),
    sharePort: flags['share-port'],
  }
}
