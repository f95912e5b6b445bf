import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { toApiError } from '../../platform/http/errors.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { can } from '../../platform/permissions/permissions.ts'
import { TOOLS } from '../tools/all.ts'
import { callTool, parseArguments } from '../tools/call.ts'
import { cleanAnswer } from '../tools/safe-text.ts'
import type { ToolCall } from '../tools/tool.ts'
import { COMMERCIAL_TOOLS, type CommercialTool } from './tools.ts'

export interface CommercialRouteOptions {
  readonly config: Partial<Pick<Config, 'publicUrl'>>
}

const READ = { permission: 'catalog.read' } as const
const tags = ['Agents']
const ToolCallBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 200 }), arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
  { title: 'ToolCall', examples: [{ name: 'search_data_assets', arguments: { query: 'orders' } }] },
)
const ToolResultBody = Type.Object(
  {
    content: Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() })),
    isError: Type.Boolean({ description: 'True if the call failed: the text says why.' }),
  },
  { title: 'ToolResult' },
)
const ToolList = Type.Object(
  {
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        description: Type.String(),
        inputSchema: Type.Unknown(),
        annotations: Type.Unknown(),
      }),
    ),
  },
  { title: 'ToolList' },
)

/** Calls of tools without the MCP protocol, as clients of the commercial interface make them. The tools of `/mcp` can be called here too. */
export const commercialToolRoutes =
  ({ config }: CommercialRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const toCall = (request: FastifyRequest): ToolCall => ({
      ctx: request.ctx,
      baseUrl: config.publicUrl ?? `${request.protocol}://${request.host}`,
    })

    app.get(
      '/ai/mcp/tools/',
      { config: READ, schema: { summary: 'List the tools for agents', tags, response: { 200: ToolList, ...errorResponses() } } },
      ({ ctx }) => ({
        tools: [...COMMERCIAL_TOOLS, ...TOOLS.filter(({ name }) => !COMMERCIAL_TOOLS.some((each) => each.name === name))]
          .filter(({ permission }) => can(ctx.actor, permission))
          .map(({ name, title, description, input, annotations }) => ({ name, title, description, inputSchema: input, annotations })),
      }),
    )

    app.post(
      '/ai/mcp/tools/call/',
      {
        config: { ...READ, idempotency: 'record' },
        schema: {
          summary: 'Call a tool',
          description:
            'The tools `search_data_assets`, `search_documentation`, `retrieve_entity`, `entity_lineage` and `glossary` return JSON as text. A failed call returns 200 with `isError`.',
          tags,
          body: ToolCallBody,
          response: { 200: ToolResultBody, ...errorResponses(400) },
        },
      },
      async (request) => {
        const { name, arguments: args } = request.body
        const onError = (error: unknown) => request.log.error({ err: error, request_id: request.id }, 'A tool failed')
        const commercial = COMMERCIAL_TOOLS.find((each) => each.name === name)
        const tool = TOOLS.find((each) => each.name === name)
        const { text, failed } = commercial
          ? await callCommercialTool(commercial, toCall(request), args, onError)
          : tool
            ? await callTool(tool, toCall(request), args, onError)
            : { text: `Unknown tool "${name}". GET /api/v1/ai/mcp/tools/ lists the tools.`, failed: true }
        return { content: [{ type: 'text' as const, text }], isError: failed }
      },
    )
  }

const callCommercialTool = async (tool: CommercialTool, call: ToolCall, args: unknown, onError: (error: unknown) => void) => {
  try {
    const { value, suspicious } = cleanAnswer(await tool.run(call, parseArguments(tool, args) as never))
    return { text: JSON.stringify(suspicious.length > 0 ? { ...(value as object), suspicious } : value), failed: false }
  } catch (error) {
    const { status, message } = toApiError(error as FastifyError)
    if (status >= 500) onError(error)
    return { text: message, failed: true }
  }
}
