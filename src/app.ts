import { randomBytes } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import { SYSTEM } from './access/permissions.ts'
import { accessRoutes } from './access/routes.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { dbtRoutes } from './dbt/routes.ts'
import { demoRoutes } from './demo/routes.ts'
import { etagOf, hasEtag } from './etag.ts'
import { historyRoutes } from './history/routes.ts'
import { addAuth } from './http/auth.ts'
import { addJsonBodies } from './http/body.ts'
import { addDeadline } from './http/deadline.ts'
import { addErrors, sendRefusal, toRefusal } from './http/errors.ts'
import { addHeaders } from './http/headers.ts'
import { addIdempotency } from './http/idempotency.ts'
import { collectMethods } from './http/method-not-allowed.ts'
import { refuseNoRequest } from './http/no-request.ts'
import { addChecks, addMetrics, addObservation } from './http/observe.ts'
import { addOpenApi } from './http/openapi.ts'
import { addRateLimit } from './http/rate-limit.ts'
import { cookiesOf } from './http/session-cookie.ts'
import { watchSilentSockets } from './http/silent-sockets.ts'
import { addSlowSenders, LONGEST_SENDING_MS } from './http/slow-senders.ts'
import { addUnreadBodies } from './http/unread-bodies.ts'
import { addValidation } from './http/validate.ts'
import { addWeb } from './http/web.ts'
import { integrationRoutes } from './integrations/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { graphRoutes } from './lineage/graph-routes.ts'
import { lineageRoutes } from './lineage/routes.ts'
import { asCodeRoutes } from './monitors/as-code-routes.ts'
import { chartRoutes } from './monitors/chart-routes.ts'
import { gateRoutes } from './monitors/gate-routes.ts'
import { incidentRoutes } from './monitors/incident-routes.ts'
import { measurementRoutes } from './monitors/measurement-routes.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { suggestRoutes } from './monitors/suggest-routes.ts'
import { notifyRoutes } from './notify/routes.ts'
import { tellDisabled } from './notify/webhooks/disabled.ts'
import { webhookRoutes } from './notify/webhooks/routes.ts'
import { openLineageRoutes } from './openlineage/routes.ts'
import { allowedBy } from './outbound/addresses.ts'
import { piiRoutes } from './profiles/pii-routes.ts'
import { profileRoutes } from './profiles/routes.ts'
import { propertyRoutes } from './properties/routes.ts'
import { propertyValueRoutes } from './properties/value-routes.ts'
import { accessExplainedRoutes } from './resources/access-routes.ts'
import { backlinkRoutes } from './resources/backlink-routes.ts'
import { DOORS } from './resources/doors.ts'
import { kindRoutes } from './resources/kind-routes.ts'
import { markRoutes } from './resources/mark-routes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { trashRoutes } from './resources/trash/routes.ts'
import { versionRoutes } from './resources/version-routes.ts'
import type { Runtime } from './runtime.ts'
import { registryOf } from './runtime-metrics.ts'
import { searchRoutes } from './search/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { provenanceRoutes } from './sync/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { transferRoutes } from './transfer/routes.ts'
import { uiRoutes } from './ui/routes.ts'
import { viewRoutes } from './views/routes.ts'

/** Every route of the API. */
const ROUTES: readonly FastifyPluginAsync[] = [
  accessRoutes,
  demoRoutes,
  jobRoutes,
  integrationRoutes,
  dbtRoutes,
  resourceRoutes,
  kindRoutes(DOORS),
  markRoutes,
  tagRoutes,
  viewRoutes,
  backlinkRoutes,
  versionRoutes,
  trashRoutes,
  accessExplainedRoutes,
  historyRoutes,
  propertyRoutes,
  propertyValueRoutes,
  lineageRoutes,
  openLineageRoutes,
  graphRoutes,
  searchRoutes,
  provenanceRoutes,
  profileRoutes,
  piiRoutes,
  transferRoutes,
  asCodeRoutes,
  gateRoutes,
  monitorRoutes,
  incidentRoutes,
  measurementRoutes,
  suggestRoutes,
]

const VERSION = '0.1.0'
const BODY_LIMIT = 5 * 1024 * 1024
const ADDRESS_LIMIT = 512 * 1024 // a lineage preview sends its SQL in the query string

export interface AppOptions {
  readonly runtime: Runtime
  readonly workspace_id: string
  readonly config: Pick<Config, 'rateLimit' | 'requestTimeoutMs' | 'logLevel'> &
    Partial<Pick<Config, 'publicUrl' | 'smtpUrl' | 'slackBotToken' | 'webhookAllow'>> &
    Partial<Pick<Config, 'smtpFrom' | 'oidc' | 'sessions' | 'trustProxy' | 'metricsToken'>>
  readonly now?: () => Date
  /** Folder of the built web app; default: web/dist. */
  readonly webFolder?: string
}

export const makeApp = async ({
  runtime,
  workspace_id,
  config,
  now = () => new Date(),
  webFolder,
}: AppOptions): Promise<FastifyInstance> => {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: ADDRESS_LIMIT },
    requestTimeout: LONGEST_SENDING_MS,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    genReqId: requestIds(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // a child logger per request costs more than adding the request ID to the two log lines
    logger: { level: config.logLevel, redact: ['req.headers.authorization'] },
    // URLs the router rejects never reach the hooks.
    frameworkErrors: (error, request, reply) => void sendRefusal(toRefusal(error), request, reply),
    clientErrorHandler: refuseNoRequest,
    trustProxy: config.trustProxy ?? false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
  }).withTypeProvider<TypeBoxTypeProvider>()

  const { db } = runtime.databases.request
  const endSilent = watchSilentSockets(app)
  app.addHook('preClose', async () => {
    for (const end of runtime.streams) end()
    // A connection that was busy when the server began to close becomes idle later and would keep the server open.
    const closing = setInterval(() => {
      app.server.closeIdleConnections()
      endSilent()
    }, 100)
    app.server.once('close', () => clearInterval(closing))
  })

  const addMethodsNotAllowed = collectMethods(app)
  addErrors(app)
  addJsonBodies(app)
  addValidation(app)
  addHeaders(app, { https: config.publicUrl?.startsWith('https:') ?? false })
  addSlowSenders(app)
  addUnreadBodies(app)
  addDeadline(app, config.requestTimeoutMs)
  addWeb(app, webFolder)
  await addOpenApi(app, VERSION)
  const cookies = cookiesOf(config.publicUrl)
  addAuth(app, { runtime, workspace_id, now, timeoutMs: config.requestTimeoutMs, cookies })
  addRateLimit(app, { db, limit: config.rateLimit, now })
  const registry = registryOf(runtime)
  addObservation(app, registry)
  addMetrics(app, [registry, runtime.backgroundMetrics.registry], config.metricsToken)

  addIdempotency(app, { timeoutMs: config.requestTimeoutMs })
  app.addHook('preSerialization', (_, reply, payload, done) => {
    if (hasEtag(payload)) reply.header('ETag', etagOf(payload))
    done(null, payload)
  })

  addChecks(app, db)
  app.get('/api/v1/openapi.json', { config: { permission: 'public' }, schema: { hide: true } }, async () => app.swagger())
  const { publicUrl, webhookAllow = [] } = config
  const webhooks = webhookRoutes({ allowed: allowedBy(webhookAllow), publicUrl, onDisabled: tellDisabled([]) }) // a test delivery never disables a webhook
  const systemContext = (): Context => ({ db, runtime, workspace_id, actor: SYSTEM, now: now(), limits: {} })
  const sessions = sessionRoutes({ ctx: systemContext, cookies, config })
  const ui = uiRoutes({ settings: { ...config, version: VERSION } })
  for (const routes of [...ROUTES, notifyRoutes(config), webhooks, chartRoutes(systemContext), sessions, ui])
    await app.register(routes, { prefix: '/api/v1' })
  await app.after() // all routes are registered now
  addMethodsNotAllowed()
  return app
}

/** Unique across processes and cheap: generating a UUID costs more than routing the request. */
const requestIds = (): (() => string) => {
  const process = randomBytes(9).toString('base64url')
  let n = 0
  return () => `${process}-${(n++).toString(36)}`
}
