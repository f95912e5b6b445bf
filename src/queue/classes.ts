import type { TaskList } from 'graphile-worker'
import type { WorkerSlots } from '../config.ts'

/** Tasks that share slots. A class has slots of its own, so work of one class never waits for work of another. */
export interface WorkerClass {
  readonly name: string
  readonly tasks: TaskList
  /** How many of its tasks this process works on at once. */
  readonly slots: number
}

export type WorkerClassName = keyof WorkerSlots

/** Taking a task and writing down its end are short statements, so the slots of all classes share a few connections. */
const QUERY_CONNECTIONS = 3

export const classConnections = (classes: readonly Pick<WorkerClass, 'slots'>[]): number =>
  classes.length +
  Math.min(
    QUERY_CONNECTIONS,
    classes.reduce((sum, { slots }) => sum + slots, 0),
  )

/** The most connections that the queue of one process opens: one a class that listens for new tasks, and the shared ones. What tasks use is not among them. */
export const queueConnections = (slots: WorkerSlots): number => classConnections(Object.values(slots).map((each) => ({ slots: each })))
