import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { PRODUCT_VERSION } from '../config/product-version.ts'

/** Traces with OpenTelemetry. Until start-tracing.ts registers an SDK, these functions do nothing. */
declare module '../context/runtime.ts' {
  interface Runtime {
    /** Undefined: nothing is traced, and no hooks for it are installed. */
    readonly tracing: SpanCounts | undefined
  }
}

/** Spans that were sent to the collector, and spans that could not be sent. */
export interface SpanCounts {
  exported: number
  failed: number
}

export const startSpan = (name: string, { parent = context.active(), ...options }: SpanSettings): Span =>
  trace.getTracer('tablinum', PRODUCT_VERSION).startSpan(name, options, parent)

export interface SpanSettings {
  readonly kind?: SpanKind
  readonly attributes: Attributes
  /** Default: the span in which this code runs. */
  readonly parent?: Context
  readonly links?: Link[]
}

/** Runs work in a span. Errors are recorded by their code only: messages may contain values. */
export const inSpan = async <T>(name: string, settings: SpanSettings, work: (span: Span) => Promise<T>): Promise<T> => {
  const span = startSpan(name, settings)
  try {
    return await context.with(trace.setSpan(settings.parent ?? context.active(), span), work, undefined, span)
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string }
    markFailed(span, String(code ?? name ?? 'unknown'))
    throw error
  } finally {
    span.end()
  }
}

export const markFailed = (span: Span, type: string): void => {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type)
}

/** The headers with which another process continues this trace (W3C Trace Context); none without tracing. */
export const getTraceHeaders = (): Record<string, string> => {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** The same as one value, which is stored with queued work and with history; null without tracing. */
export const getTraceparent = (): string | null => getTraceHeaders().traceparent ?? null

/** The context of the span that a value of `getTraceparent` names. */
export const readTraceparent = (traceparent: string | null | undefined): Context =>
  propagation.extract(ROOT_CONTEXT, traceparent ? { traceparent } : {})
