import type { Shape } from '../../../connector/src/shape.ts'

/** The steps of a run of dbt Cloud: each has artifacts of its own. Pure. */
export interface RunSteps {
  /** Those that run nodes, in order: each has results of its own. */
  readonly results: readonly number[]
  /** The last one that writes a catalog, and the last one that checks the freshness of sources. */
  readonly catalog: number | undefined
  readonly sources: number | undefined
}

/** These write the results of what they run. `compile` and `docs` write results, too, but run nothing. */
const RUNNING = ['build', 'clone', 'retry', 'run', 'seed', 'snapshot', 'test']
const COMMANDS = [...RUNNING, 'clean', 'compile', 'deps', 'docs', 'init', 'list', 'ls', 'parse', 'run-operation', 'show', 'source']
const FINISHED = [10, 20, 30] // success, error, cancelled

export const readSteps = (steps: readonly Shape[]): RunSteps => {
  const finished = steps
    .filter((step) => FINISHED.includes(step.integer('status')))
    .map((step) => ({ index: step.integer('index'), command: findCommand(step.text('name')) }))
    .sort((one, other) => one.index - other.index)
  const findLast = (command: string) => finished.findLast((step) => step.command === command)?.index
  return {
    results: finished.filter(({ command }) => command !== undefined && RUNNING.includes(command)).map(({ index }) => index),
    catalog: findLast('docs'),
    sources: findLast('source'),
  }
}

/** The command of dbt in the name of a step: "Invoke dbt with `dbt --warn-error build --select marts`". */
const findCommand = (name: string): string | undefined => {
  if (/^generate docs\b/i.test(name)) return 'docs'
  if (/^(?:run )?source freshness\b/i.test(name)) return 'source'
  const [, options = ''] = /(?:^|`)\s*dbtf?\s+([^`]*)/.exec(name) ?? []
  return options.split(/\s+/).find((word) => COMMANDS.includes(word))
}
