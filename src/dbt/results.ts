import { hashOf } from '../sync/item.ts'
import type { CompiledSql, Kept, NodeResult, TestResult } from './project.ts'
import { compiledSqlOf, type Json, listOf, numberOf, objectOf, objectsOf, rawOf, textOf, valuesOf } from './values.ts'

/** The results of the last dbt runs. Pure. */

// These commands write results too and report success when a test could be compiled.
const ONLY_COMPILE = ['compile', 'docs', 'generate', 'list', 'parse', 'show']

/** Whether the results come from a command that ran nodes. */
export const tellsOfARun = (run_results: unknown): boolean => {
  const file = objectOf(run_results)
  return file !== undefined && !ONLY_COMPILE.includes(textOf(objectOf(file.args)?.which) ?? '')
}

/** The results of `run_results.json`, by unique ID. */
export const resultsOf = (run_results: unknown): Map<string, NodeResult> => {
  const file = tellsOfARun(run_results) ? objectOf(run_results) : undefined
  const generated_at = textOf(objectOf(file?.metadata)?.generated_at)
  return new Map(
    listOf(file?.results).flatMap((each) => {
      const result = objectOf(each)
      const unique_id = textOf(result?.unique_id)
      const status = textOf(result?.status)?.toLowerCase() // dbt Fusion capitalizes them
      return result && unique_id && status ? [[unique_id, resultOf(result, unique_id, status, generated_at)] as const] : []
    }),
  )
}

const resultOf = (result: Json, unique_id: string, status: string, generated_at: string | null): NodeResult => ({
  unique_id,
  status,
  failures: numberOf(result.failures),
  message: textOf(result.message)?.slice(0, LONGEST_MESSAGE) ?? null,
  executed_at: textOf(executionOf(result)?.completed_at) ?? generated_at,
  execution_time: numberOf(result.execution_time),
  rows_affected: countOf(objectOf(result.adapter_response)?.rows_affected),
})

const LONGEST_MESSAGE = 2_000

/** Postgres reports -1 for a created view. */
const countOf = (value: unknown): number | null => {
  const count = numberOf(value)
  return count !== null && count >= 0 ? count : null
}

const executionOf = (result: Json): Json | undefined => objectsOf(listOf(result.timing)).find(({ name }) => name === 'execute')

/**
 * Merges the results of several runs, the newest per node: a `dbt run` covers models only and does not invalidate the results of an earlier
 * `dbt test`. With equal or missing times, the later file wins.
 */
export const newestOf = <R extends NodeResult>(before: Iterable<R>, after: Iterable<R>): Map<string, R> => {
  const newest = new Map<string, R>()
  for (const result of [...before, ...after]) {
    const known = newest.get(result.unique_id)
    if (!known || !(momentOf(result) < momentOf(known))) newest.set(result.unique_id, result)
  }
  return newest
}
const momentOf = ({ executed_at }: NodeResult): number => Date.parse(executed_at ?? '')

/**
 * The SQL of nodes whose manifest has none: run results contain it as well, also those of commands that only compile. Results uploaded with the
 * manifest match it; retained ones are used while the source code of the node is unchanged.
 */
export const compiledOf = (nodes: readonly Json[], run_results: unknown, kept: Kept | undefined): Map<string, CompiledSql> => {
  const written = new Map(nodes.flatMap((node) => (compiledSqlOf(node) ? [] : [[textOf(node.unique_id), hashOf(rawOf(node) ?? '')]])))
  const told =
    kept?.compiled?.filter((each) => each.written === written.get(each.unique_id)) ??
    objectsOf(listOf(objectOf(run_results)?.results)).flatMap((result) => {
      const [unique_id, sql] = [textOf(result.unique_id), compiledSqlOf(result)]
      return unique_id && sql && written.has(unique_id) ? [{ unique_id, written: written.get(unique_id)!, sql }] : []
    })
  return new Map(told.map((each) => [each.unique_id, each]))
}

/** A test, its target and its result: everything a measurement needs. */
export interface TestRun extends TestResult {
  readonly unique_id: string
  readonly name: string
  /** Unique ID of the tested model, source, seed or snapshot. */
  readonly tests: string | null
  readonly column: string | null
}

/** The results of the tests that were run. */
export const testResultsOf = (manifest: unknown, run_results: unknown): TestRun[] => {
  const results = resultsOf(run_results)
  return testNodes(manifest).flatMap((node) => {
    const result = results.get(String(node.unique_id))
    if (!result) return []
    const { unique_id, status, failures, message, executed_at, execution_time } = result
    const name = textOf(node.name) ?? unique_id
    return [{ unique_id, name, ...testedBy(node), status, failures, message, executed_at, execution_time }]
  })
}

/** Data tests are nodes, unit tests are listed separately. */
export const testNodes = (manifest: unknown): Json[] => [
  ...valuesOf(objectOf(manifest)?.nodes).filter(({ resource_type }) => resource_type === 'test'),
  ...valuesOf(objectOf(manifest)?.unit_tests),
]

/** The node a test is attached to: it may depend on other tables too (a relationship test needs two). */
export const testedBy = (node: Json): { tests: string | null; column: string | null } => {
  const needed = listOf(objectOf(node.depends_on)?.nodes).flatMap((each) => textOf(each) ?? [])
  return {
    // A relationship test lists the other table first; `attached_node` names its own. dbt Fusion adds the latest version of a model to the
    // dependencies of a test of another version.
    tests: textOf(node.attached_node) ?? textOf(node.tested_node_unique_id) ?? needed.at(-1) ?? null,
    column: textOf(node.column_name) ?? textOf(objectOf(objectOf(node.test_metadata)?.kwargs)?.column_name),
  }
}
