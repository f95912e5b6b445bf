import { SpanKind, trace } from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'
import { inSpan } from '../tracing/spans.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { type DescribedStatement, describeStatement } from './describe-statement.ts'

export type TraceStatement = <T>(sql: string, run: () => Promise<T>) => Promise<T>

const MAX_DESCRIBED = 1_000 // texts

/** Statements become spans of the request, task or delivery that runs them. Values of parameters are never part of a span. */
export const createStatementTracer = (url: string): TraceStatement => {
  const { host, port, database } = parseDatabaseUrl(url)
  const server = { 'db.system.name': 'postgresql', 'db.namespace': database, 'server.address': host, 'server.port': port }
  const described = new LRUCache<string, DescribedStatement>({ max: MAX_DESCRIBED })
  const describe = (sql: string): DescribedStatement => {
    const known = described.get(sql) ?? describeStatement(sql)
    described.set(sql, known)
    return known
  }
  return (sql, run) => {
    if (!trace.getActiveSpan()?.isRecording()) return run() // housekeeping of the process, or not sampled
    const { summary, text } = describe(sql)
    const attributes = { ...server, 'db.query.summary': summary, 'db.query.text': text }
    return inSpan(summary, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await run()
      } catch (error) {
        const { code } = error as { code?: string }
        if (code) span.setAttribute('db.response.status_code', code)
        throw error
      }
    })
  }
}
