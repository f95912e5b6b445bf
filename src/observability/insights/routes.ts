import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getInsights, getInsightTrends, groupsToCsv, insightsToCsv, listInsightGroups, trendsToCsv } from './insights.ts'
import { InsightGroups, InsightGroupsQuery, Insights, InsightsQuery, InsightTrends } from './schema.ts'

const READ = { permission: 'monitors.read' } as const
const tags = ['Insights']
const responses = (schema: TSchema) => ({
  200: { description: 'The numbers, or a CSV file.', content: { 'application/json': { schema }, 'text/csv': { schema: Type.String() } } },
  ...errorResponses(400),
})

export const insightRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/insights',
    {
      config: { ...READ, replica: true },
      schema: {
        summary: 'Count documentation, ownership, health, usage and incidents',
        description: 'Of the workspace, a team, an integration or an owner. Each number has the filter that lists what it counts.',
        tags,
        querystring: InsightsQuery,
        response: responses(Insights),
      },
    },
    async ({ ctx, query }, reply) => {
      const insights = await getInsights(ctx, query)
      return query.format === 'csv' ? sendCsv(reply, 'insights', ctx.now, insightsToCsv(insights)) : reply.send(insights)
    },
  )

  app.get(
    '/insights/trends',
    {
      config: { ...READ, replica: true },
      schema: {
        summary: 'Get the insights of each day',
        description: 'From a snapshot that is taken every day and kept for 92 days. Incidents are counted from their history.',
        tags,
        querystring: InsightsQuery,
        response: responses(InsightTrends),
      },
    },
    async ({ ctx, query }, reply) => {
      const trends = await getInsightTrends(ctx, query)
      return query.format === 'csv' ? sendCsv(reply, 'insight-trends', ctx.now, trendsToCsv(trends)) : reply.send(trends)
    },
  )

  app.get(
    '/insights/groups',
    {
      config: { ...READ, replica: true },
      schema: {
        summary: 'Compare teams, integrations, owners or schemas',
        tags,
        querystring: InsightGroupsQuery,
        response: responses(InsightGroups),
      },
    },
    async ({ ctx, query }, reply) => {
      const groups = await listInsightGroups(ctx, query)
      return query.format === 'csv' ? sendCsv(reply, 'insight-groups', ctx.now, groupsToCsv(groups)) : reply.send(groups)
    },
  )
}

const sendCsv = (reply: FastifyReply, name: string, now: Date, text: string) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="${name}-${now.toISOString().slice(0, 10)}.csv"`)
    .send(text)
