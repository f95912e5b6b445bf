import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Runtime } from '../context/runtime.ts'
import { READ_ONLY_ERROR } from '../db/driver.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only reads, so a replica may answer it. */
    replica?: true
  }
  interface FastifyRequest {
    /** The position of the primary when the request arrived. */
    position: Promise<number> | undefined
  }
}

/** Must be added before the authentication, whose statement also reads the position. */
export const addReplicaRoutes = (app: FastifyInstance, runtime: Runtime): void => {
  const { replicas, rowVersions } = runtime
  app.decorateRequest('position')
  if (replicas.all.length === 0) return
  app.addHook('onRequest', (request, _, done) => {
    if (request.routeOptions.config.replica) {
      request.position = rowVersions.position()
      request.position.catch(() => {}) // the authentication fails too, and reports it
    }
    done()
  })
  app.addHook('onRoute', (route) => {
    if (route.config?.replica) route.handler = readFromReplica(runtime, route.handler)
  })
}

/** Runs the handler on a replica; if that fails, on the primary. */
const readFromReplica = ({ replicas }: Runtime, handler: RouteHandlerMethod): RouteHandlerMethod =>
  async function (request, reply) {
    const replica = await replicas.choose(await request.position!)
    const primary = request.ctx
    if (!replica) {
      replicas.answers.primary += 1
      return handler.call(this, request, reply)
    }
    try {
      request.ctx = { ...primary, db: replica.request.db, replica }
      const answer = await handler.call(this, request, reply)
      replicas.answers.replica += 1
      return answer
    } catch (error) {
      if (reply.sent || !isFailureOfReplica(error)) throw error
      if (!isRejectedByStandby(error)) replica.leaveOut('away')
      replicas.answers.retried += 1
      request.ctx = primary
      return handler.call(this, request, reply)
    }
  }

const CANCELLED_BY_RECOVERY = '40001'
const NOT_ON_A_STANDBY = '0A000' // e.g. reading an unlogged table

/** A replica cannot answer this request, but is healthy. */
const isRejectedByStandby = (error: unknown): boolean =>
  [CANCELLED_BY_RECOVERY, NOT_ON_A_STANDBY, READ_ONLY_ERROR].includes((error as { code?: string }).code ?? '')

const isFailureOfReplica = (error: unknown): boolean =>
  isRejectedByStandby(error) || /^(CONNECTION_FAILED|57P0\d|08...|53...|40P01)$/.test((error as { code?: string }).code ?? '')
