import type { Json } from '../../platform/core/json-value.ts'
import { hashText } from '../sync/item.ts'
import type { CompiledSql, NodeResult, RetainedArtifacts, TestResult } from './project.ts'
import { getCompiledSql, getRawSql, toList, toNumber, toObject, toObjects, toObjectValues, toText } from './values.ts'

/** The results of the last dbt runs. Pure. */

// These commands write results too and report success when a test could be compiled.
const COMPILE_COMMANDS = ['compile', 'docs', 'generate', 'list', 'parse', 'show']

/** Whether the results come from a command that ran nodes. */
export const isRunResult = (run_results: unknown): boolean => {
  const file = toObject(run_results)
  return file !== undefined && !COMPILE_COMMANDS.includes(toText(toObject(file.args)?.which) ?? '')
}

/** The results of `run_results.json`, by unique ID. */
export const parseResults = (run_results: unknown): Map<string, NodeResult> => {
  const file = isRunResult(run_results) ? toObject(run_results) : undefined
  const generated_at = toText(toObject(file?.metadata)?.generated_at)
  return new Map(
    toList(file?.results).flatMap((each) => {
      const result = toObject(each)
      const unique_id = toText(result?.unique_id)
      const status = toText(result?.status)?.toLowerCase() // dbt Fusion capitalizes them
      return result && unique_id && status ? [[unique_id, toNodeResult(result, unique_id, status, generated_at)] as const] : []
    }),
  )
}

const toNodeResult = (result: Json, unique_id: string, status: string, generated_at: string | null): NodeResult => ({
  unique_id,
  status,
  failures: toNumber(result.failures),
  message: toText(result.message)?.slice(0, MAX_MESSAGE_LENGTH) ?? null,
  executed_at: toText(findExecution(result)?.completed_at) ?? generated_at,
  execution_time: toNumber(result.execution_time),
  rows_affected: toCount(toObject(result.adapter_response)?.rows_affected),
})

const MAX_MESSAGE_LENGTH = 2_000

/** Postgres reports -1 for a created view. */
const toCount = (value: unknown): number | null => {
  const count = toNumber(value)
  return count !== null && count >= 0 ? count : null
}

const findExecution = (result: Json): Json | undefined => toObjects(toList(result.timing)).find(({ name }) => name === 'execute')

/**
 * Merges the results of several runs, the newest per node: a `dbt run` covers models only and does not invalidate the results of an earlier
 * `dbt test`. With equal or missing times, the later file wins.
 */
export const mergeNewestResults = <R extends NodeResult>(before: Iterable<R>, after: Iterable<R>): Map<string, R> => {
  const newest = new Map<string, R>()
  for (const result of [...before, ...after]) {
    const previous = newest.get(result.unique_id)
    if (!previous || !(getExecutionTime(result) < getExecutionTime(previous))) newest.set(result.unique_id, result)
  }
  return newest
}
const getExecutionTime = ({ executed_at }: NodeResult): number => Date.parse(executed_at ?? '')

/**
 * The SQL of nodes whose manifest has none: run results contain it as well, also those of commands that only compile. Results uploaded with the
 * manifest match it; retained ones are used while the source code of the node is unchanged.
 */
export const findCompiledSql = (
  nodes: readonly Json[],
  run_results: readonly Json[],
  retained: RetainedArtifacts | undefined,
): Map<string, CompiledSql> => {
  const written = new Map(
    nodes.flatMap((node) => (getCompiledSql(node) ? [] : [[toText(node.unique_id), hashText(getRawSql(node) ?? '')]])),
  )
  const compiled =
    retained?.compiled?.filter((each) => each.written === written.get(each.unique_id)) ??
    run_results
      .flatMap((file) => toObjects(toList(file.results)))
      .flatMap((result) => {
        const [unique_id, sql] = [toText(result.unique_id), getCompiledSql(result)]
        return unique_id && sql && written.has(unique_id) ? [{ unique_id, written: written.get(unique_id)!, sql }] : []
      })
  return new Map(compiled.map((each) => [each.unique_id, each]))
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
export const toTestResults = (manifest: unknown, run_results: unknown): TestRun[] => {
  const results = parseResults(run_results)
  return findTestNodes(manifest).flatMap((node) => {
    const result = results.get(toText(node.unique_id) ?? '')
    if (!result) return []
    const { unique_id, status, failures, message, executed_at, execution_time } = result
    const name = toText(node.name) ?? unique_id
    return [{ unique_id, name, ...findTestTarget(node), status, failures, message, executed_at, execution_time }]
  })
}

/** Data tests are nodes, unit tests are listed separately. */
export const findTestNodes = (manifest: unknown): Json[] => [
  ...toObjectValues(toObject(manifest)?.nodes).filter(({ resource_type }) => resource_type === 'test'),
  ...toObjectValues(toObject(manifest)?.unit_tests),
]

/** The node a test is attached to: it may depend on other tables too (a relationship test needs two). */
export const findTestTarget = (node: Json): { tests: string | null; column: string | null } => {
  const needed = toList(toObject(node.depends_on)?.nodes).flatMap((each) => toText(each) ?? [])
  return {
    // A relationship test lists the other table first; `attached_node` names its own. dbt Fusion adds the latest version of a model to the
    // dependencies of a test of another version.
    tests: toText(node.attached_node) ?? toText(node.tested_node_unique_id) ?? needed.at(-1) ?? null,
    column: toText(node.column_name) ?? toText(toObject(toObject(node.test_metadata)?.kwargs)?.column_name),
  }
}
