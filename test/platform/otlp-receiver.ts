import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import protobuf from 'protobufjs'

/** A span as a collector receives it; IDs in hexadecimal. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** 2: error. */
  readonly status: number
  readonly resource: Readonly<Record<string, unknown>>
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Headers of every request. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** `hang`: there is never a response. */
  respond: () => number | 'hang'
}

/** The part of opentelemetry-proto that is read here. */
const PROTO = `
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6; repeated KeyValue attributes = 9;
    repeated Link links = 13; Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`
const Request = protobuf.parse(PROTO).root.lookupType('Request')

/** A collector for tests: OTLP over HTTP, as protobuf or JSON, on loopback. */
export const createOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = []
  const requests: OtlpReceiver['requests'] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const status = it.respond()
    if (status === 'hang') return
    requests.push({ path: request.url!, headers: request.headers })
    const isJson = request.headers['content-type'] === 'application/json'
    if (status < 300) spans.push(...toSpans(isJson ? JSON.parse(body.toString()) : decode(body)))
    response.writeHead(status, { 'content-type': request.headers['content-type'] }).end(isJson ? '{}' : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    respond: () => 200,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return it
}

// biome-ignore lint/suspicious/noExplicitAny: the wire format
type Wire = any

const decode = (body: Buffer): Wire => Request.toObject(Request.decode(body), { longs: Number, bytes: Buffer as never })

const toSpans = ({ resourceSpans = [] }: Wire): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans = [] }: Wire) =>
    scopeSpans.flatMap(({ spans = [] }: Wire) =>
      spans.map((span: Wire) => ({
        traceId: toHex(span.traceId),
        spanId: toHex(span.spanId),
        parentSpanId: toHex(span.parentSpanId ?? ''),
        name: span.name,
        kind: span.kind,
        attributes: toRecord(span.attributes),
        links: (span.links ?? []).map((link: Wire) => ({ traceId: toHex(link.traceId), spanId: toHex(link.spanId) })),
        status: span.status?.code ?? 0,
        resource: toRecord(resource.attributes),
      })),
    ),
  )

const toHex = (id: string | Uint8Array): string => (typeof id === 'string' ? id : Buffer.from(id).toString('hex'))
const toRecord = (attributes: Wire[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value as object)[0] as unknown]))
