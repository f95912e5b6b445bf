import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { OtlpConfig } from '../config/otlp-config.ts'
import { PRODUCT_VERSION } from '../config/product-version.ts'
import type { SpanCounts } from './spans.ts'

export interface Tracing {
  readonly counts: SpanCounts
  /** Sends what is left, as far as the collector takes it in time. */
  stop(): Promise<void>
}

const FLUSH_MS = 3_000
const LOG_INTERVAL_MS = 60_000

/**
 * Registers the SDK for the whole process. Spans are sent in batches in the background; while the collector is away they are dropped, so it delays
 * nothing. Only imported if a collector is configured.
 */
export const startTracing = async (
  { protocol, batches, ...sampling }: OtlpConfig,
  onProblem: (message: string) => void,
): Promise<Tracing> => {
  const counts: SpanCounts = { exported: 0, failed: 0 }
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  const exporter = countExports(new OTLPTraceExporter(), counts, onProblem)
  const provider = new TracerProvider({
    resource: describeProcess(),
    sampler: createSampler(sampling),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batches })],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return {
    counts,
    stop: async () => {
      const flushed = provider.shutdown().catch(() => {}) // counted as failed
      await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })])
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}

const createSampler = ({ sampler, ratio }: Pick<OtlpConfig, 'sampler' | 'ratio'>): Sampler => {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME come last, so they win. */
const describeProcess = () =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'tablinum', 'service.version': PRODUCT_VERSION, 'service.instance.id': randomUUID() }))
    .merge(detectResources({ detectors: [envDetector] }))

/** Counts what was sent, and reports a problem at most once a minute. */
const countExports = (exporter: SpanExporter, counts: SpanCounts, onProblem: (message: string) => void): SpanExporter => {
  let reportedAt = Number.NEGATIVE_INFINITY
  const reportFailure = (error: (Error & { code?: string | number }) | undefined) => {
    if (performance.now() - reportedAt < LOG_INTERVAL_MS) return
    reportedAt = performance.now()
    onProblem(`Traces could not be sent to the collector: ${error?.code || error?.message.slice(0, MAX_MESSAGE) || 'unknown error'}.`)
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        counts[failed ? 'failed' : 'exported'] += spans.length
        if (failed) reportFailure(result.error)
        done(result)
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

const MAX_MESSAGE = 200
