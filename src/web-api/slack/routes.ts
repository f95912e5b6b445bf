import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, conflict, invalid } from '../../platform/core/errors.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { readServices, type ServerConfig } from '../../platform/server-settings/services.ts'
import { handleSlackAction, type SlackAction } from './actions.ts'
import { isSignedBySlack } from './signature.ts'
import { type SharedLinks, unfurlLinks } from './unfurl.ts'

export interface SlackActionOptions {
  /** System context: Slack calls this endpoint, not a user. */
  readonly ctx: () => Context
  readonly config: ServerConfig
}

const MAX_BYTES = 256_000

/** The “Request URLs” for interactivity and events of a Slack app. Its signature is the authentication. */
export const slackActionRoutes =
  ({ ctx, config }: SlackActionOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The signature is of the text.
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'application/json'],
      { parseAs: 'string', bodyLimit: MAX_BYTES },
      (_, body, done) => done(null, body),
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
        const { slack, body } = await readSignedBody(request)
        await handleSlackAction(ctx(), parseJson<SlackAction>(new URLSearchParams(body).get('payload') ?? '', 'payload'), slack)
        return {} // Slack shows an error unless the status is 200
      },
    )

    app.post(
      '/notification/slack/events',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Receive an event of a Slack app',
          description:
            'The request URL for event subscriptions of a Slack app. For `link_shared`, links to resources are shown with title, type, health, owner and description, if their sender and every viewer may see the resource. Only requests that Slack has signed are accepted.',
          tags: ['Notification routing'],
          response: {
            200: Type.Object({ challenge: Type.Optional(Type.String({ description: 'What Slack sent to verify the URL.' })) }),
            ...errorResponses(400, 409),
          },
        },
      },
      async (request) => {
        const { slack, body } = await readSignedBody(request)
        const { type, challenge, event } = parseJson<SlackEvent>(body, 'body')
        if (type === 'url_verification') return { challenge: String(challenge ?? '') }
        const publicUrl = config.publicUrl ?? `${request.protocol}://${request.host}`
        if (type === 'event_callback' && event?.type === 'link_shared') await unfurlLinks(ctx(), event, slack, publicUrl)
        return {}
      },
    )

    const readSignedBody = async (request: FastifyRequest) => {
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
      return { slack, body }
    }
  }

interface SlackEvent {
  readonly type?: string
  readonly challenge?: unknown
  readonly event?: SharedLinks & { readonly type?: string }
}

const getHeader = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const parseJson = <T extends object>(text: string, field: string): Partial<T> => {
  try {
    return (JSON.parse(text) as T | null) ?? {}
  } catch {
    throw invalid({ [field]: ['must be JSON.'] })
  }
}
