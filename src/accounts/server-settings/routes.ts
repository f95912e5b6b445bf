import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import {
  EmailSettingsEdit,
  OidcSettingsEdit,
  SERVICES,
  ServerSettings,
  ServerSettingsTest,
  SlackSettingsEdit,
} from '../../platform/server-settings/schema.ts'
import type { ServerConfig } from '../../platform/server-settings/services.ts'
import {
  deleteServerSettings,
  getServerSettings,
  type SettingsOptions,
  setServerSettings,
} from '../../platform/server-settings/settings.ts'
import { buildCallbackUrl } from '../sign-in/oidc-routes.ts'
import { testEmailSettings, testOidcSettings, testSlackSettings } from './test-settings.ts'

const MANAGE = { permission: 'server.manage' } as const
const tags = ['Server settings']
const PATH = '/server/settings'
const TESTED = { additionalProperties: false, examples: [{}] }

/** Without the title and examples of the edit, which the document has once. */
const Unsaved = <T extends TProperties>(properties: T) =>
  Type.Optional(
    Type.Object(properties, { additionalProperties: false, description: 'As for saving. Absent: the settings in use are tested.' }),
  )

/** Mail server, Slack app and identity provider. What the environment sets wins and cannot be changed. */
export const serverSettingsRoutes =
  ({ config }: { readonly config: ServerConfig }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const toOptions = (request: FastifyRequest): SettingsOptions => ({
      config,
      redirectUri: buildCallbackUrl(config.publicUrl ?? `${request.protocol}://${request.host}`),
    })

    app.get(
      PATH,
      {
        config: MANAGE,
        schema: {
          summary: 'Get the settings of mail server, Slack app and identity provider',
          description: 'Secrets are never returned.',
          tags,
          response: { 200: ServerSettings, ...errorResponses() },
        },
      },
      (request) => getServerSettings(request.ctx, toOptions(request)),
    )

    const edits = { email: EmailSettingsEdit, slack: SlackSettingsEdit, oidc: OidcSettingsEdit } as const
    const names = { email: 'mail server', slack: 'Slack app', oidc: 'identity provider' } as const
    for (const service of SERVICES) {
      app.put(
        `${PATH}/${service}`,
        {
          config: MANAGE,
          schema: {
            summary: `Set the ${names[service]}`,
            description: 'Used by all processes at once. 409 if the environment of the server sets it.',
            tags,
            body: edits[service],
            response: { 200: ServerSettings, ...errorResponses(400, 409) },
          },
        },
        (request) => setServerSettings(request.ctx, service, request.body as never, toOptions(request)),
      )

      app.delete(
        `${PATH}/${service}`,
        {
          config: MANAGE,
          schema: {
            summary: `Delete the stored settings of the ${names[service]}`,
            tags,
            response: { 204: Type.Null(), ...errorResponses(409) },
          },
        },
        async (request, reply) => {
          await deleteServerSettings(request.ctx, service, toOptions(request))
          return reply.code(204).send(null)
        },
      )
    }

    app.post(
      `${PATH}/email/test`,
      {
        config: { ...MANAGE, idempotency: 'record' },
        schema: {
          summary: 'Send a test mail to yourself',
          tags,
          body: Type.Object({ settings: Unsaved(EmailSettingsEdit.properties) }, TESTED),
          response: { 200: ServerSettingsTest, ...errorResponses(400, 409) },
        },
      },
      (request) => testEmailSettings(request.ctx, request.body.settings, config),
    )

    app.post(
      `${PATH}/slack/test`,
      {
        config: { ...MANAGE, idempotency: 'record' },
        schema: {
          summary: 'Check the bot token and post a test message',
          description: 'To `channel`, or to your own Slack ID in your notification settings; without either only the token is checked.',
          tags,
          body: Type.Object(
            {
              settings: Unsaved(SlackSettingsEdit.properties),
              channel: Type.Optional(Type.String({ maxLength: 100, description: 'ID of a channel or person.' })),
            },
            TESTED,
          ),
          response: { 200: ServerSettingsTest, ...errorResponses(400, 409) },
        },
      },
      (request) => testSlackSettings(request.ctx, request.body, config),
    )

    app.post(
      `${PATH}/oidc/test`,
      {
        config: { ...MANAGE, idempotency: 'record' },
        schema: {
          summary: 'Check the identity provider',
          description: 'Reads its metadata and tries the client ID and secret with a code that no one has. No one is signed in.',
          tags,
          body: Type.Object({ settings: Unsaved(OidcSettingsEdit.properties) }, TESTED),
          response: { 200: ServerSettingsTest, ...errorResponses(400, 409) },
        },
      },
      (request) => testOidcSettings(request.ctx, request.body.settings, toOptions(request)),
    )
  }
