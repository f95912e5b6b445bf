import type { Db } from '../../platform/db/connect.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import { hashText } from '../sync/item.ts'
import type { Dataset, RunEvent } from './event.ts'
import { isFinished, MAX_CHECKS, parseAssertions } from './facets.ts'

export const CHECK_RESULTS_TASK = 'checks_told'

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

export interface CheckResults {
  readonly checks: readonly Check[]
  /** dbt reports the same tests with its artifacts. */
  readonly by_dbt: boolean
}

export interface CheckTargets {
  readonly table: (dataset: Dataset) => string | undefined
  readonly column: (dataset: Dataset, name: string) => string | undefined
}

/** Queues the check results of a finished run in the same transaction. */
export const queueCheckResults = async (db: Db, event: RunEvent, targets: CheckTargets): Promise<void> => {
  const checks = isFinished(event.type) ? toChecks(event, targets) : []
  if (checks.length === 0) return
  const by = event.job.facets.jobType?.integration
  const by_dbt = typeof by === 'string' && by.toUpperCase() === 'DBT'
  await addTask(db, CHECK_RESULTS_TASK, { checks, by_dbt } satisfies CheckResults)
}

/** Checks with the same name and target are merged, with the number of failures. */
const toChecks = ({ inputs, outputs, time }: RunEvent, targets: CheckTargets): Check[] => {
  const found = new Map<string, Check>()
  for (const dataset of [...inputs, ...outputs]) {
    const table = targets.table(dataset)
    if (!table) continue
    for (const { name, column, passed, warns } of parseAssertions(dataset)) {
      const target = (column && targets.column(dataset, column)) || table
      const key = `openlineage:${target}:${hashText(name)}`
      const failures = (found.get(key)?.failures ?? 0) + (passed || warns ? 0 : 1)
      found.set(key, { key, name, target, table, failures, at: time })
    }
  }
  return [...found.values()].slice(0, MAX_CHECKS)
}
