import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { previewRule } from './preview.ts'
import { createRule, deleteRule, editRule, getRule, listRules } from './rules.ts'
import { NotificationRule, NotificationRuleCreate, NotificationRuleEdit, RulePreview, RulePreviewRequest } from './schema.ts'

const MANAGE = { permission: 'notifications.manage' } as const
const tags = ['Notification routing']
const params = Type.Object({ notification_rule_id: Id() })
const ALL = '/notification/rules'
const ONE = `${ALL}/:notification_rule_id`

export const routingRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    ALL,
    {
      config: MANAGE,
      schema: {
        summary: 'List routing rules, in the order in which they are tried',
        tags,
        querystring: PageQuery,
        response: { 200: PageSchema(NotificationRule, 'NotificationRulePage'), ...errorResponses(400) },
      },
    },
    (request) => listRules(request.ctx, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    ALL,
    {
      config: MANAGE,
      schema: {
        summary: 'Create a routing rule',
        description: 'Sends what meets all conditions to notification channels, besides the people and channels that are notified anyway.',
        tags,
        body: NotificationRuleCreate,
        response: { 201: NotificationRule, ...errorResponses(400, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await createRule(request.ctx, request.body)),
  )

  app.post(
    `${ALL}/preview`,
    {
      config: MANAGE,
      schema: {
        summary: 'Find which of the last 100 incidents meet conditions',
        description: 'Changes nothing.',
        tags,
        body: RulePreviewRequest,
        response: { 200: RulePreview, ...errorResponses(400) },
      },
    },
    (request) => previewRule(request.ctx, request.body),
  )

  app.get(
    ONE,
    {
      config: MANAGE,
      schema: { summary: 'Get a routing rule', tags, params, response: { 200: NotificationRule, ...errorResponses(404) } },
    },
    (request) => getRule(request.ctx, request.params.notification_rule_id),
  )

  app.patch(
    ONE,
    {
      config: MANAGE,
      schema: {
        summary: 'Edit or move a routing rule',
        tags,
        params,
        body: NotificationRuleEdit,
        response: { 200: NotificationRule, ...errorResponses(400, 404, 412) },
      },
    },
    (request) => editRule(request.ctx, request.params.notification_rule_id, request.body),
  )

  app.delete(
    ONE,
    {
      config: MANAGE,
      schema: { summary: 'Delete a routing rule', tags, params, response: { 204: Type.Null(), ...errorResponses(404, 412) } },
    },
    async (request, reply) => {
      await deleteRule(request.ctx, request.params.notification_rule_id)
      return reply.code(204).send(null)
    },
  )
}
