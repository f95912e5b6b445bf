import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import type { Runtime } from '../platform/context/runtime.ts'
import { addErrors } from '../platform/http/errors.ts'
import { addHeaders } from '../platform/http/headers.ts'
import { trackIdleSockets } from '../platform/http/idle-sockets.ts'
import { rejectMalformedRequests } from '../platform/http/malformed-requests.ts'
import { addHealthChecks, addMetrics } from '../platform/http/metrics.ts'

const MAX_BODY_BYTES = 1024 // no route here accepts a body
const MAX_BODY_READ_MS = 10_000

/** The HTTP app of a process without the API: health checks and metrics. */
export const createWorkerApp = async (runtime: Runtime, config: Pick<Config, 'logLevel' | 'metricsToken'>): Promise<FastifyInstance> => {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: MAX_BODY_READ_MS,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level: config.logLevel, redact: ['req.headers.authorization'] },
    clientErrorHandler: rejectMalformedRequests,
    routerOptions: { ignoreTrailingSlash: true },
  })
  const closeIdleSockets = trackIdleSockets(app)
  app.addHook('preClose', async () => closeIdleSockets())
  addErrors(app)
  addHeaders(app, { https: false })
  addHealthChecks(app, { runtime })
  addMetrics(app, () => [runtime.metrics, runtime.backgroundMetrics.registry], config.metricsToken)
  return app
}
