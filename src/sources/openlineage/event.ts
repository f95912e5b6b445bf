/** The parts of an OpenLineage event that the catalog uses. */
export const EVENT_TYPES = ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] as const
export type EventType = (typeof EVENT_TYPES)[number]

export type Facets = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface JobName {
  readonly namespace: string
  readonly name: string
}

export interface Dataset {
  readonly namespace: string
  readonly name: string
  readonly facets: Facets
  /** Input or output facets. */
  readonly use: Facets
}

interface EventBase {
  readonly time: string
  readonly inputs: readonly Dataset[]
  readonly outputs: readonly Dataset[]
}

/** Three kinds: a run of a job, the definition of a job, and a dataset. */
export interface RunEvent extends EventBase {
  readonly kind: 'run'
  readonly type: EventType
  readonly run: { readonly id: string; readonly facets: Facets }
  readonly job: JobName & { readonly facets: Facets }
}
export interface JobEvent extends EventBase {
  readonly kind: 'job'
  readonly job: JobName & { readonly facets: Facets }
}
export interface DatasetEvent extends EventBase {
  readonly kind: 'dataset'
}
export type Event = RunEvent | JobEvent | DatasetEvent
