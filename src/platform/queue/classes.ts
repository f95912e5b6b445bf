import type { TaskList } from 'graphile-worker'
import type { WorkerSlots } from '../config/config.ts'

/** Tasks that share worker slots. Each class has its own slots, so its work never waits for another class. */
export interface WorkerClass {
  readonly name: string
  readonly tasks: TaskList
  /** How many of its tasks this process runs at once. */
  readonly slots: number
}

export type WorkerClassName = keyof WorkerSlots

/** Claiming and completing a task are short statements, so the slots of all classes share a few connections. */
const QUERY_CONNECTIONS = 3

export const classConnections = (classes: readonly Pick<WorkerClass, 'slots'>[]): number =>
  classes.length +
  Math.min(
    QUERY_CONNECTIONS,
    classes.reduce((sum, { slots }) => sum + slots, 0),
  )

/** Maximum connections of one process's queue: one per class that listens for tasks, and the shared ones. Connections used by the tasks are not included. */
export const queueConnections = (slots: WorkerSlots): number => classConnections(Object.values(slots).map((each) => ({ slots: each })))
