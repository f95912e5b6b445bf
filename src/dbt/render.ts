import type { DbtTable } from './project.ts'

/**
 * The SQL of a model that was not compiled, as far as it can be told without dbt: what is written with references, sources and nothing else of
 * consequence. `dbt parse` compiles nothing, and a run of some models only these. Anything else in braces: nothing. Pure.
 */
export const rendered = (raw: string, upstream: readonly DbtTable[]): string | null => {
  let room = LONGEST
  let whole = true
  const named = (table: DbtTable | undefined): string => {
    const name = table?.relation_name ?? (table && inlined(table))
    room -= name?.length ?? 0
    if (!name || room < 0) whole = false
    return whole ? name! : ''
  }
  const sql = raw
    .replace(COMMENT, ' ')
    .replace(CONFIG, ' ')
    .replace(INCREMENTAL, (_, otherwise: string | undefined) => otherwise ?? ' ')
    .replace(REF, (_, one: string, other: string | undefined, version: string | undefined) =>
      named(upstream.find((table) => isRef(table, other ? [one, other] : [one], version))),
    )
    .replace(SOURCE, (_, source: string, name: string) => named(upstream.find(({ unique_id }) => unique_id.endsWith(`.${source}.${name}`))))
  return whole && !/\{[{%#]/.test(sql) ? sql : null
}

/** An ephemeral model has no name in the warehouse: what it says stands where it is named. */
const inlined = ({ relation, sql }: DbtTable): string | undefined => (relation || !sql ? undefined : `(${withoutEnd(sql)}\n)`)
const withoutEnd = (sql: string): string => (sql.trimEnd().endsWith(';') ? sql.trimEnd().slice(0, -1) : sql)
const LONGEST = 200_000 // ephemeral models within ephemeral models double with each step

const COMMENT = /\{#(?:(?!\{#|#\}).)*#\}/gs // never beyond the next one: what is not closed is looked at once
/** To its own end and never into the next expression; it may hold maps, which have braces as well. */
const CONFIG = /\{\{-?\s*config\s*\((?:(?!\{\{|\)\s*-?\}\}).)*\)\s*-?\}\}/gs
/** What is added when there is a table already narrows what is read, and takes nothing from elsewhere. */
const INCREMENTAL =
  /\{%-?\s*if\s+is_incremental\s*\(\s*\)\s*-?%\}(?:(?!\{%).)*(?:\{%-?\s*else\s*-?%\}((?:(?!\{%).)*))?\{%-?\s*endif\s*-?%\}/gs
const REF =
  /\{\{-?\s*ref\s*\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"]([^'"]+)['"]\s*)?(?:,\s*(?:v|version)\s*=\s*['"]?([\w.]+)['"]?\s*)?\)\s*-?\}\}/g
const SOURCE = /\{\{-?\s*source\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)\s*-?\}\}/g

/** `ref('name')`, or of another package `ref('package', 'name')`. */
const isRef = ({ kind, name, facts }: DbtTable, words: readonly string[], version: string | undefined): boolean =>
  kind !== 'source' &&
  name === words.at(-1) &&
  (words.length === 1 || facts.package === words[0]) &&
  (version === undefined || String(facts.version) === version)
