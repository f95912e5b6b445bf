import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, conflict, invalid } from '../../platform/core/errors.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { readServices, type ServerConfig } from '../../platform/server-settings/services.ts'
import { handleSlackAction, type SlackAction } from './actions.ts'
import { isSignedBySlack } from './signature.ts'

export interface SlackActionOptions {
  /** System context: Slack calls this endpoint, not a user. */
  readonly ctx: () => Context
  readonly config: ServerConfig
}

const MAX_BYTES = 256_000

/** The “Request URL” for interactivity of a Slack app. Its signature is the authentication. */
export const slackActionRoutes =
  ({ ctx, config }: SlackActionOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_, body, done) =>
      done(null, body),
    )

    app.post(
      '/notification/slack/actions',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Receive a click on a button of a Slack message',
          description: 'The request URL for interactivity of a Slack app. Only requests that Slack has signed are accepted.',
          tags: ['Notification routing'],
          response: { 200: Type.Object({}), ...errorResponses(400, 409) },
        },
      },
      async (request) => {
        const { slack } = await readServices(ctx(), config)
        if (!slack?.signingSecret)
          throw conflict('Slack actions are not configured. Set the bot token and the signing secret of the Slack app.')
        const body = typeof request.body === 'string' ? request.body : ''
        const signed = {
          body,
          timestamp: getHeader(request, 'x-slack-request-timestamp'),
          signature: getHeader(request, 'x-slack-signature'),
        }
        if (!isSignedBySlack(slack.signingSecret, signed, ctx().now))
          throw new ApiError('unauthenticated', 'The signature of this request is not valid.')
        await handleSlackAction(ctx(), parsePayload(body), slack)
        return {} // Slack shows an error unless the status is 200
      },
    )
  }

const getHeader = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const parsePayload = (body: string): SlackAction => {
  try {
    return (JSON.parse(new URLSearchParams(body).get('payload') ?? '') as SlackAction | null) ?? {}
  } catch {
    throw invalid({ payload: ['must be JSON.'] })
  }
}
