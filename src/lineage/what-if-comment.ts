import type { Change, WhatIfAnswer } from './what-if-schema.ts'

/** The result of a what-if as a Markdown comment for a pull request. Pure. */

const MOST_ROWS = 50
const MOST_LINES = 20

export const commentOn = ({ changes, breaks, totals, owners, unresolved, notes, truncated }: Omit<WhatIfAnswer, 'comment'>): string => {
  const gone = changes.filter(({ change }) => change !== 'column_rewired')
  const rewired = changes.filter(({ change }) => change === 'column_rewired')
  const parts = [
    `### ${headline(totals.breaks, truncated, changes.length)}`,
    list('Changes', gone.map(changeLine)),
    totals.breaks > 0
      ? [
          '| Breaks | Type | Owners | Reason |',
          '| --- | --- | --- | --- |',
          ...breaks
            .slice(0, MOST_ROWS)
            .map(
              (each) =>
                `| ${code(each.title_full!)} | ${each.entity_type} | ${each.owners.map(nameOf).join(', ') || '–'} | ${cell(each.reason)} |`,
            ),
          ...(totals.breaks > MOST_ROWS
            ? ['', `… and ${(totals.breaks - Math.min(MOST_ROWS, breaks.length)).toLocaleString('en')} more.`]
            : []),
        ].join('\n')
      : '',
    owners.length > 0 ? `**Owners to notify:** ${owners.map((owner) => `${nameOf(owner)} (${owner.count})`).join(', ')}` : '',
    totals.unowned > 0 ? `${totals.unowned.toLocaleString('en')} of these ${totals.unowned === 1 ? 'has' : 'have'} no owner.` : '',
    list('Columns with different sources', rewired.map(changeLine)),
    list(
      'Unresolved references',
      unresolved.map(({ table, name, reason }) => `${code(name)} in ${code(table)} (${reason.replaceAll('_', ' ')})`),
    ),
    list('Not compared', notes.map(cell)),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const headline = (breaks: number, truncated: boolean, changes: number): string => {
  if (breaks > 0)
    return `${truncated ? 'At least ' : ''}${breaks.toLocaleString('en')} downstream ${breaks === 1 ? 'resource' : 'resources'} would break`
  return changes > 0 ? 'No downstream resource would break' : 'No changes to resources in the catalog'
}

const changeLine = ({ title_full, detail }: Change): string => `${code(title_full)} ${cell(detail)}`

const list = (title: string, lines: readonly string[]): string => {
  if (lines.length === 0) return ''
  const rest = lines.length - MOST_LINES
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest.toLocaleString('en')} more`] : lines
  return `**${title}**\n\n${shown.map((line) => `- ${line}`).join('\n')}`
}

const nameOf = ({ id, name, email }: { id: string; name: string | null; email: string | null }): string => cell(name ?? email ?? id)

/** Titles are untrusted text: inside a code span they cannot become Markdown, a mention or a link. */
const code = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
  const ticks = '`'.repeat(Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return ticks.length > 1 ? `${ticks} ${flat} ${ticks}` : `${ticks}${flat}${ticks}`
}

const cell = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|@~]/g, '\\$&')
