import type { Db } from '../db/connect.ts'
import { addTask } from '../queue/add-task.ts'
import { hashOf } from '../sync/item.ts'
import type { Dataset, RunEvent } from './event.ts'
import { assertionsOf, isOver, MOST_CHECKS } from './facets.ts'

export const CHECKS_TASK = 'checks_told'

/** The result of one check, which becomes a measurement. */
export interface Check {
  /** Identifies the check across runs. */
  readonly key: string
  readonly name: string
  /** The checked column, else the table. */
  readonly target: string
  readonly table: string
  readonly failures: number
  readonly at: string
}

export interface ChecksTold {
  readonly checks: readonly Check[]
  /** dbt reports the same tests with its artifacts. */
  readonly by_dbt: boolean
}

export interface Targets {
  readonly table: (dataset: Dataset) => string | undefined
  readonly column: (dataset: Dataset, name: string) => string | undefined
}

/** Queues the check results of a finished run in the same transaction. */
export const tellChecks = async (db: Db, event: RunEvent, targets: Targets): Promise<void> => {
  const checks = isOver(event.type) ? checksOf(event, targets) : []
  if (checks.length === 0) return
  const by_dbt = String(event.job.facets.jobType?.integration).toUpperCase() === 'DBT'
  await addTask(db, CHECKS_TASK, { checks, by_dbt } satisfies ChecksTold)
}

/** Checks with the same name and target are merged, with the number of failures. */
const checksOf = ({ inputs, outputs, time }: RunEvent, targets: Targets): Check[] => {
  const found = new Map<string, Check>()
  for (const dataset of [...inputs, ...outputs]) {
    const table = targets.table(dataset)
    if (!table) continue
    for (const { name, column, passed, warns } of assertionsOf(dataset)) {
      const target = (column && targets.column(dataset, column)) || table
      const key = `openlineage:${target}:${hashOf(name)}`
      const failures = (found.get(key)?.failures ?? 0) + (passed || warns ? 0 : 1)
      found.set(key, { key, name, target, table, failures, at: time })
    }
  }
  return [...found.values()].slice(0, MOST_CHECKS)
}
