import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CONNECTORS } from '../../../src/sources/connectors/registry/all.ts'
import { GRANTS } from '../../../src/sources/credentials/grants.ts'
import { getIntegrationType } from '../../../src/sources/credentials/types.ts'

/** Not in the table of sources in docs/integrations.md: sources that are sent files or events, and connectors of operators. */
const OTHERS = ['dbt', 'datahub', 'query_log', 'connector']
const SOURCES = [...CONNECTORS.keys()].filter((type) => !OTHERS.includes(type))

/** For each column of the table, what occurs in the code of the sources that do it. */
const COLUMN_PATTERNS: Readonly<Record<string, RegExp>> = {
  'not read again': /\bfindUnchanged\(|\bSavedRuns\b/,
  'kept of an interrupted sync': /\bwithVersion\(|\btoVersionFields\(/,
  usage: /\btoUsage\(|\btoViews\(|\bquery_history\b/,
  owners: /\btoOwners\(|\bowners: (\[|listOwner|readOwners|resolve|owner )/,
  runs: /\btoRunItems\(|\bSavedRuns\b/,
}

const readCode = (type: string): string => {
  const folders = type.startsWith('lake_') ? ['lake'] : type === 'hive' ? ['hive', 'hive-metastore'] : [type.replaceAll('_', '-')]
  const files =
    type === 'dbt_cloud' ? globSync('src/sources/dbt/*.ts') : folders.flatMap((each) => globSync(`src/sources/connectors/${each}/*.ts`))
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

test('the table of sources in the documentation says what their code does', () => {
  const text = readFileSync('docs/integrations.md', 'utf8')
  const [head, , ...rows] = text.slice(text.indexOf('| source | not read again')).split('\n\n', 1)[0]!.split('\n')
  const toCells = (row: string): string[] =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const columns = toCells(head!).slice(1)
  expect(columns).toEqual(Object.keys(COLUMN_PATTERNS))
  const said = rows.flatMap((row) => {
    const [names, ...cells] = toCells(row)
    return [...names!.matchAll(/`(\w+)`/g)].map(([, type]) => [type!, columns.filter((_, i) => cells[i] !== '')] as const)
  })
  const done = SOURCES.map((type) => [type, columns.filter((column) => COLUMN_PATTERNS[column]!.test(readCode(type)))] as const)
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(done))
})

test('every source prints its least grants and has patterns', () => {
  const has = (type: string, name: string) => getIntegrationType(type).fields.some((field) => field.name === name)
  expect(SOURCES.filter((type) => !GRANTS[type])).toEqual([])
  // A project of dbt is chosen as a whole, with `project_id`.
  expect(SOURCES.filter((type) => !has(type, 'include') || !has(type, 'exclude'))).toEqual(['dbt_cloud'])
})
