import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { AnswerRequest } from '../conversations/conversations.ts'

export interface AssistantRouteOptions {
  readonly config: Partial<Pick<Config, 'publicUrl'>>
}

/** What an answer needs from the request that asked for it, which ends long before the answer. */
export const toAnswerRequest = (request: FastifyRequest, { config }: AssistantRouteOptions): AnswerRequest => ({
  baseUrl: config.publicUrl ?? `${request.protocol}://${request.host}`,
  findActor: () => request.server.findCaller(request),
  onError: (error) => request.log.error({ err: error, request_id: request.id }, 'An answer of the assistant failed'),
})
