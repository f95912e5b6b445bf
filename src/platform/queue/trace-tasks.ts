import { SpanKind } from '@opentelemetry/api'
import type { Task, TaskList } from 'graphile-worker'
import { inSpan, readTraceparent } from '../tracing/spans.ts'

/** Each run of a task is a span of the request or task that queued it. A scheduled task starts a trace. */
export const traceTasks = (workerClass: string, tasks: TaskList): TaskList =>
  Object.fromEntries(Object.entries(tasks).map(([name, run]) => [name, traceTask(workerClass, name, run as Task)]))

const traceTask =
  (workerClass: string, name: string, run: Task): Task =>
  (payload, helpers) => {
    const { id, attempts } = helpers.job
    const attributes = {
      'messaging.system': 'graphile_worker',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': name,
      'messaging.message.id': id,
      'tablinum.worker_class': workerClass,
      'tablinum.task.attempt': attempts,
    }
    const parent = readTraceparent((payload as { _traceparent?: string } | null)?._traceparent)
    return inSpan(`process ${name}`, { kind: SpanKind.CONSUMER, attributes, parent }, async () => run(payload, helpers))
  }
