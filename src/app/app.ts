import { randomBytes } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import { authorizationRoutes, oauthRoutes } from '../accounts/oauth/routes.ts'
import { serverSettingsRoutes } from '../accounts/server-settings/routes.ts'
import { sessionRoutes } from '../accounts/sign-in/routes.ts'
import { embeddedPromptRoutes } from '../assistant/api/embedded-prompt-routes.ts'
import { assistantRoutes } from '../assistant/api/routes.ts'
import { commercialToolRoutes } from '../mcp/commercial/routes.ts'
import { MCP_PATH, mcpRoutes } from '../mcp/server/routes.ts'
import { routingRoutes } from '../notifications/routing/routes.ts'
import { channelRoutes } from '../notifications/service/channel-routes.ts'
import { notifyRoutes } from '../notifications/service/routes.ts'
import { templateRoutes } from '../notifications/service/template-routes.ts'
import { notifyWebhookDisabled } from '../notifications/webhooks/notify-disabled.ts'
import { webhookRoutes } from '../notifications/webhooks/routes.ts'
import { chartRoutes } from '../observability/charts/routes.ts'
import { healthRoutes } from '../observability/health/routes.ts'
import type { Config } from '../platform/config/config.ts'
import { PRODUCT_VERSION } from '../platform/config/product-version.ts'
import type { Context } from '../platform/context/context.ts'
import type { Runtime } from '../platform/context/runtime.ts'
import { computeEtag, hasEtag } from '../platform/core/etag.ts'
import { addAuth } from '../platform/http/auth.ts'
import type { AppBackend } from '../platform/http/backend.ts'
import { addJsonBodies } from '../platform/http/body.ts'
import { addBodyTimeouts, MAX_BODY_READ_MS } from '../platform/http/body-timeouts.ts'
import { addDeadline } from '../platform/http/deadline.ts'
import { addErrors, sendApiError, toApiError } from '../platform/http/errors.ts'
import { addHeaders } from '../platform/http/headers.ts'
import { addHostCheck } from '../platform/http/host-header.ts'
import { addIdempotency } from '../platform/http/idempotency.ts'
import { trackIdleSockets } from '../platform/http/idle-sockets.ts'
import { rejectMalformedRequests } from '../platform/http/malformed-requests.ts'
import { addMethodNotAllowed } from '../platform/http/method-not-allowed.ts'
import { addHealthChecks, addMetrics, addRequestMetrics } from '../platform/http/metrics.ts'
import { addOpenApi } from '../platform/http/openapi.ts'
import { addRateLimit } from '../platform/http/rate-limit.ts'
import { addReplicaRoutes } from '../platform/http/replica-routes.ts'
import { getCookieOptions, parseCookie } from '../platform/http/session-cookie.ts'
import { addTracing } from '../platform/http/tracing.ts'
import { addUnreadBodies } from '../platform/http/unread-bodies.ts'
import { addValidation } from '../platform/http/validate.ts'
import { addWebApp } from '../platform/http/web-app.ts'
import { parseAllowlist } from '../platform/outbound/address-policy.ts'
import { SYSTEM } from '../platform/permissions/permissions.ts'
import { datahubSinkRoutes } from '../sources/integrations/datahub-sink-routes.ts'
import { uiRoutes } from '../web-api/pages/routes.ts'
import { sharingRoutes } from '../web-api/sharing/routes.ts'
import { slackActionRoutes } from '../web-api/slack/routes.ts'
import { ROUTES } from './routes.ts'

const MAX_BODY_BYTES = 5 * 1024 * 1024
const MAX_URL_BYTES = 512 * 1024 // a lineage preview sends its SQL in the query string

export interface AppOptions {
  readonly backend: AppBackend
  readonly config: Pick<Config, 'rateLimit' | 'requestTimeoutMs' | 'logLevel'> &
    Partial<Pick<Config, 'publicUrl' | 'smtpUrl' | 'slackBotToken' | 'slackApiUrl' | 'slackSigningSecret' | 'webhookAllow'>> &
    Partial<Pick<Config, 'smtpFrom' | 'oidc' | 'sessions' | 'trustProxy' | 'metricsToken'>>
  /** Folder of the built web app; default: web/dist. */
  readonly webFolder?: string
}

export const createApp = async ({ backend, config, webFolder }: AppOptions): Promise<FastifyInstance> => {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    http: { maxHeaderSize: MAX_URL_BYTES },
    requestTimeout: MAX_BODY_READ_MS,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    genReqId: createRequestIds(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // a child logger per request costs more than adding the request ID to the two log lines
    logger: { level: config.logLevel, redact: ['req.headers.authorization'] },
    // URLs the router rejects never reach the hooks.
    frameworkErrors: (error, request, reply) => void sendApiError(toApiError(error), request, reply),
    clientErrorHandler: rejectMalformedRequests,
    trustProxy: config.trustProxy ?? false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
  }).withTypeProvider<TypeBoxTypeProvider>()

  const systemContext = (): Context => {
    const { runtime, workspace_id, now } = backend
    return { db: runtime.databases.request.db, runtime, workspace_id, actor: SYSTEM, now: now(), limits: {} }
  }
  const closeIdleSockets = trackIdleSockets(app)
  app.addHook('preClose', async () => {
    await endLongResponses(backend.runtime)
    // A connection that was busy when the server began to close becomes idle later and would keep the server open.
    const closing = setInterval(() => {
      app.server.closeIdleConnections()
      closeIdleSockets()
    }, 100)
    app.server.once('close', () => clearInterval(closing))
  })

  if (backend.runtime.tracing) addTracing(app)
  addErrors(app)
  addJsonBodies(app)
  addValidation(app)
  addHeaders(app, { https: config.publicUrl?.startsWith('https:') ?? false })
  addHostCheck(app)
  addBodyTimeouts(app)
  addUnreadBodies(app)
  addDeadline(app, config.requestTimeoutMs)
  const registerMethodNotAllowed = addMethodNotAllowed(app)
  const cookies = getCookieOptions(config.publicUrl)
  addWebApp(app, {
    folder: webFolder,
    findPreview: (path, { protocol, host, headers, log, id }) =>
      backend.runtime.pagePreviews.find(
        systemContext(),
        {
          path,
          publicUrl: config.publicUrl ?? `${protocol}://${host}`,
          hasSession: parseCookie(cookies, headers.cookie) !== undefined,
        },
        (error) => log.warn({ err: error, request_id: id }, 'Failed to preview a page'),
      ),
  })
  await addOpenApi(app, PRODUCT_VERSION)
  addReplicaRoutes(app, backend.runtime)
  addAuth(app, { backend, timeoutMs: config.requestTimeoutMs, cookies })
  addRateLimit(app, { backend, limit: config.rateLimit })
  addRequestMetrics(app, backend)
  addMetrics(
    app,
    () => [backend.runtime.metrics, backend.runtime.requestMetrics.registry, backend.runtime.backgroundMetrics.registry],
    config.metricsToken,
  )

  addIdempotency(app, { timeoutMs: config.requestTimeoutMs })
  app.addHook('preSerialization', (_, reply, payload, done) => {
    if (hasEtag(payload)) reply.header('ETag', computeEtag(payload))
    done(null, payload)
  })

  addHealthChecks(app, backend)
  app.get('/api/v1/openapi.json', { config: { permission: 'public' }, schema: { hide: true } }, async () => app.swagger())
  const { publicUrl, webhookAllow = [] } = config
  const allowed = parseAllowlist(webhookAllow)
  const webhooks = webhookRoutes({ allowed, publicUrl, onDisabled: notifyWebhookDisabled([]) }) // a test delivery never disables a webhook
  const sessions = sessionRoutes({ ctx: systemContext, cookies, config })
  const ui = uiRoutes({ settings: { ...config, version: PRODUCT_VERSION } })
  const oauth = { ctx: systemContext, config, allowed, resourcePath: MCP_PATH }
  for (const routes of [
    ...ROUTES,
    notifyRoutes(config),
    webhooks,
    channelRoutes({ config, allowed }),
    routingRoutes,
    templateRoutes({ publicUrl }),
    slackActionRoutes({ ctx: systemContext, config }),
    chartRoutes(systemContext),
    healthRoutes({ ctx: systemContext, config }),
    sharingRoutes({ ctx: systemContext, config }),
    sessions,
    serverSettingsRoutes({ config }),
    authorizationRoutes(oauth),
    commercialToolRoutes({ config }),
    assistantRoutes({ config }),
    ui,
  ])
    await app.register(named(routes), { prefix: '/api/v1' })
  await app.register(named(oauthRoutes(oauth)))
  await app.register(named(embeddedPromptRoutes({ config })))
  await app.register(named(mcpRoutes({ config, version: PRODUCT_VERSION })))
  await app.register(named(datahubSinkRoutes))
  await app.after() // all routes are registered now
  registerMethodNotAllowed()
  return app
}

/** Ends what would otherwise last as long as its caller stays: answers of a language model and event streams. */
export const endLongResponses = async ({ answers, streams }: Runtime): Promise<void> => {
  await answers.stop()
  for (const end of streams) end()
}

/** Without a name, Fastify compares each plugin with all CommonJS modules of the process: a sixth of the CPU time of creating the app (160 instead of 132 ms in tests). */
const named = (routes: FastifyPluginAsync): FastifyPluginAsync =>
  Object.assign(routes, { [Symbol.for('fastify.display-name')]: routes.name || 'routes' })

/** Unique across processes and cheap: generating a UUID costs more than routing the request. */
const createRequestIds = (): (() => string) => {
  const process = randomBytes(9).toString('base64url')
  let n = 0
  return () => `${process}-${(n++).toString(36)}`
}
