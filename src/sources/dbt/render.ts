import type { DbtTable } from './project.ts'
import { toNumber, toText } from './values.ts'

/**
 * Renders the SQL of a model that was not compiled, as far as possible without dbt: only references, sources and config blocks are supported,
 * anything else in braces returns null. `dbt parse` compiles nothing, and a partial run only the selected models. Pure.
 */
export const renderSql = (raw: string, upstream: readonly DbtTable[]): string | null => {
  let remaining = MAX_RENDERED_LENGTH
  let complete = true
  const named = (table: DbtTable | undefined): string => {
    const name = table?.relation_name ?? (table && inlineEphemeral(table))
    remaining -= name?.length ?? 0
    if (!name || remaining < 0) complete = false
    return complete ? name! : ''
  }
  const sql = raw
    .replace(COMMENT, ' ')
    .replace(CONFIG, ' ')
    .replace(INCREMENTAL, (_, otherwise: string | undefined) => otherwise ?? ' ')
    .replace(REF, (_, one: string, other: string | undefined, version: string | undefined) =>
      named(upstream.find((table) => isRef(table, other ? [one, other] : [one], version))),
    )
    .replace(SOURCE, (_, source: string, name: string) => named(upstream.find(({ unique_id }) => unique_id.endsWith(`.${source}.${name}`))))
  return complete && !/\{[{%#]/.test(sql) ? sql : null
}

/** An ephemeral model has no table in the warehouse: its SQL is inlined. */
const inlineEphemeral = ({ relation, sql }: DbtTable): string | undefined => (relation || !sql ? undefined : `(${trimSemicolon(sql)}\n)`)
const trimSemicolon = (sql: string): string => (sql.trimEnd().endsWith(';') ? sql.trimEnd().slice(0, -1) : sql)
const MAX_RENDERED_LENGTH = 200_000 // nested ephemeral models can double with each level

const COMMENT = /\{#(?:(?!\{#|#\}).)*#\}/gs // never past the next opening, so that unclosed comments do not cause backtracking
/** Up to its own end and never into the next expression; it may contain maps, which have braces as well. */
const CONFIG = /\{\{-?\s*config\s*\((?:(?!\{\{|\)\s*-?\}\}).)*\)\s*-?\}\}/gs
/** The incremental block only filters rows of tables that are read anyway. */
const INCREMENTAL =
  /\{%-?\s*if\s+is_incremental\s*\(\s*\)\s*-?%\}(?:(?!\{%).)*(?:\{%-?\s*else\s*-?%\}((?:(?!\{%).)*))?\{%-?\s*endif\s*-?%\}/gs
const REF =
  /\{\{-?\s*ref\s*\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"]([^'"]+)['"]\s*)?(?:,\s*(?:v|version)\s*=\s*['"]?([\w.]+)['"]?\s*)?\)\s*-?\}\}/g
const SOURCE = /\{\{-?\s*source\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)\s*-?\}\}/g

/** `ref('name')`, or `ref('package', 'name')` for another package. */
const isRef = ({ kind, name, facts }: DbtTable, args: readonly string[], version: string | undefined): boolean =>
  kind !== 'source' &&
  name === args.at(-1) &&
  (args.length === 1 || facts.package === args[0]) &&
  (version === undefined || `${toText(facts.version) ?? toNumber(facts.version)}` === version)
