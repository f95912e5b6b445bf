import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getResourceUrl } from '../../accounts/oauth/routes.ts'
import type { Config } from '../../platform/config/config.ts'
import { invalid, permissionDenied } from '../../platform/core/errors.ts'
import type { ToolCall } from '../tools/tool.ts'

export const MCP_PATH = '/mcp'

export interface McpRouteOptions {
  readonly config: Partial<Pick<Config, 'publicUrl'>>
  readonly version: string
}

/** The MCP endpoint. It is stateless: every request is answered by itself, so any process can answer it. */
export const mcpRoutes =
  ({ config, version }: McpRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    let loading: ReturnType<typeof loadHandler> | undefined
    const loadHandler = async () => {
      const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([import('@modelcontextprotocol/server'), import('./server.ts')])
      return createMcpHandler(
        ({ authInfo }) =>
          createMcpServer(authInfo!.extra as unknown as ToolCall, {
            version,
            onError: (error) => app.log.error({ err: error }, 'A tool failed'),
          }),
        {
          maxSubscriptions: 0, // the lists of tools, resources and prompts never change during a connection
          onerror: (error) => app.log.debug({ err: error }, 'Rejected an MCP message'),
        },
      )
    }
    /** Loaded by the first request: the SDK and its validator would delay every start. */
    const getHandler = () => {
      loading ??= loadHandler()
      return loading
    }
    app.addHook('onClose', async () => (await loading)?.close())

    app.post(
      MCP_PATH,
      {
        config: {
          permission: 'catalog.read',
          idempotency: 'none',
          oauth_resource: (request) => getResourceUrl(request, { config, resourcePath: MCP_PATH }),
        },
        schema: { hide: true },
      },
      async (request, reply) => {
        assertOwnOrigin(request, config.publicUrl)
        if (Array.isArray(request.body) && request.body.length > MAX_BATCH)
          throw invalid({ body: [`must not have more than ${MAX_BATCH} messages: the rate limit counts requests.`] })
        const baseUrl = config.publicUrl ?? `${request.protocol}://${request.host}`
        const call: ToolCall = { ctx: request.ctx, baseUrl }
        const message = new Request(new URL(MCP_PATH, baseUrl), { method: 'POST', headers: toHeaders(request) })
        const authInfo = { token: '', clientId: '', scopes: [], extra: { ...call } }
        return sendResponse(reply, await (await getHandler()).fetch(message, { parsedBody: request.body, authInfo }))
      },
    )
  }

const MAX_BATCH = 10

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i

/** A page of another site must not reach a server in the network of its reader, even if its name resolves to that server (DNS rebinding). */
const assertOwnOrigin = ({ headers: { origin } }: FastifyRequest, publicUrl: string | undefined): void => {
  if (origin === undefined) return
  const url = URL.parse(origin)
  if (url && (LOOPBACK.test(url.hostname) || (publicUrl && new URL(publicUrl).origin === url.origin))) return
  throw permissionDenied('Requests from pages of other sites are not allowed.')
}

/** The headers the protocol uses; the token has been checked and goes no further. */
const toHeaders = ({ headers }: FastifyRequest): Headers => {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (name === 'accept' || name === 'content-type' || name.startsWith('mcp-')) result.set(name, String(value))
  return result
}

const sendResponse = async (reply: FastifyReply, response: Response): Promise<FastifyReply> => {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  if (!response.body) return reply.send(null)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(await response.text())
  return reply.send(Readable.fromWeb(response.body as ReadableStream))
}
