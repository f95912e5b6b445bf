import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config.ts'
import { addErrors } from './http/errors.ts'
import { addHeaders } from './http/headers.ts'
import { refuseNoRequest } from './http/no-request.ts'
import { addChecks, addMetrics } from './http/observe.ts'
import { watchSilentSockets } from './http/silent-sockets.ts'
import type { Runtime } from './runtime.ts'
import { registryOf } from './runtime-metrics.ts'

const MOST_BODY_BYTES = 1024 // no route here accepts a body
const LONGEST_SENDING_MS = 10_000

/** The HTTP app of a process without the API: health checks and metrics. */
export const makeWorkerApp = async (runtime: Runtime, config: Pick<Config, 'logLevel' | 'metricsToken'>): Promise<FastifyInstance> => {
  const app = fastify({
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: LONGEST_SENDING_MS,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level: config.logLevel, redact: ['req.headers.authorization'] },
    clientErrorHandler: refuseNoRequest,
    routerOptions: { ignoreTrailingSlash: true },
  })
  const endSilent = watchSilentSockets(app)
  app.addHook('preClose', async () => endSilent())
  addErrors(app)
  addHeaders(app, { https: false })
  addChecks(app, runtime.databases.request.db)
  addMetrics(app, [registryOf(runtime), runtime.backgroundMetrics.registry], config.metricsToken)
  return app
}
