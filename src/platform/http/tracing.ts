import { type Attributes, type Context, context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { markFailed, startSpan } from '../tracing/spans.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; undefined without tracing. */
    trace: Context | undefined
  }
}

const UNTRACED: readonly string[] = ['/healthcheck', '/readycheck', '/metrics']

/** A span for each request, which continues the trace of its caller. Added before all other hooks, so that their statements belong to it. */
export const addTracing = (app: FastifyInstance): void => {
  app.decorateRequest('trace', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions
    if (route !== undefined && UNTRACED.includes(route)) return done()
    const parent = propagation.extract(ROOT_CONTEXT, request.headers)
    const span = startSpan(route ? `${request.method} ${route}` : request.method, {
      kind: SpanKind.SERVER,
      attributes: describeRequest(request, route),
      parent,
    })
    // Always emitted, also if the caller leaves before the response.
    reply.raw.once('close', () => endSpan(span, reply))
    request.trace = trace.setSpan(parent, span)
    context.with(request.trace, done)
  })
  // A body arrives with events of the socket, which do not belong to the request.
  app.addHook('preValidation', (request, _, done) => (request.trace ? context.with(request.trace, done) : done()))
}

const describeRequest = ({ id, method, protocol, url }: FastifyRequest, route: string | undefined): Attributes => ({
  'http.request.method': method,
  'url.scheme': protocol,
  'tablinum.request.id': id,
  ...(route === undefined ? {} : { 'http.route': route }),
  ...(route?.startsWith('/api/') ? { 'url.path': url.split('?', 1)[0] } : {}), // other paths may be anything, e.g. a link with a code
})

const endSpan = (span: Span, { raw }: FastifyReply): void => {
  if (raw.headersSent) span.setAttribute('http.response.status_code', raw.statusCode)
  if (raw.headersSent && raw.statusCode >= 500) markFailed(span, String(raw.statusCode))
  span.end()
}

/** For the log, so that lines and traces can be found from each other. */
export const findTraceId = ({ trace: current }: FastifyRequest): string | undefined => current && trace.getSpanContext(current)?.traceId
