import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { type AppOptions, createApp, endLongResponses } from '../../src/app/app.ts'
import type { AppBackend } from '../../src/platform/http/backend.ts'

export interface AcquiredApp extends AsyncDisposable {
  readonly fastify: FastifyInstance
  /** Every route the app has registered, as reported by Fastify, so that none can be missed. */
  readonly routes: readonly RouteOptions[]
}

/** Apps of this worker that no test is using, by their configuration. Creating one takes 130 ms of CPU time, more than most tests. */
const idle = new Map<string, PooledApp[]>()

/**
 * An app that answers from `backend`. All that requests change is in the backend (except for rate limits), so an app can be used by one
 * test after another. With `isNew`, no test has used it and none will: for tests that add routes.
 */
export const acquireApp = async ({ backend, ...options }: AppOptions, isNew = false): Promise<AcquiredApp> => {
  const key = JSON.stringify(options)
  const isShared = !isNew && options.config.rateLimit === 0
  const app = (isShared && idle.get(key)?.pop()) || (await createPooledApp({ backend: { ...backend }, ...options }))
  Object.assign(app.backend, backend)
  return {
    fastify: app.fastify,
    routes: app.routes,
    [Symbol.asyncDispose]: async () => {
      await endLongResponses(backend.runtime)
      if (isShared && (await app.isReusable())) idle.set(key, [...(idle.get(key) ?? []), app])
      else await app.fastify.close()
    },
  }
}

interface PooledApp {
  readonly backend: AppBackend
  readonly fastify: FastifyInstance
  readonly routes: readonly RouteOptions[]
  /** False after a test listened to a port, closed the app or left a request running. */
  isReusable(): Promise<boolean>
}

const createPooledApp = async (options: AppOptions): Promise<PooledApp> => {
  const routes: RouteOptions[] = []
  let running = 0
  let closed = false
  // Hooks that see every route and every request have to be there before all others.
  const onApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void routes.push(route))
    fastify.addHook('onRequest', (_, reply, done) => {
      running += 1
      reply.raw.once('close', () => {
        running -= 1
      })
      done()
    })
    fastify.addHook('onClose', async () => {
      closed = true
    })
  }
  subscribe('fastify.initialization', onApp)
  const creating = createApp(options)
  unsubscribe('fastify.initialization', onApp) // the app exists; only its plugins are still loading
  const fastify = await creating
  return {
    backend: options.backend,
    fastify,
    routes,
    isReusable: async () => {
      if (running > 0) await nextTurn() // for what a test has just aborted
      return running === 0 && !closed && !fastify.server.listening
    },
  }
}
