import type { Change, WhatIfAnswer } from './what-if-schema.ts'

/** The result of a what-if as a Markdown comment for a pull request. Pure. */

const MAX_ROWS = 50
const MAX_LINES = 20

export const formatPullRequestComment = ({
  changes,
  breaks,
  totals,
  owners,
  unresolved,
  warnings,
  notes,
  truncated,
}: Omit<WhatIfAnswer, 'comment'>): string => {
  const removed = changes.filter(({ change }) => change !== 'column_rewired')
  const rewired = changes.filter(({ change }) => change === 'column_rewired')
  const parts = [
    `### ${formatHeadline(totals.breaks, truncated, changes.length)}`,
    formatList('Changes', removed.map(formatChange)),
    totals.breaks > 0
      ? [
          '| Breaks | Type | Owners | Reason |',
          '| --- | --- | --- | --- |',
          ...breaks
            .slice(0, MAX_ROWS)
            .map(
              (each) =>
                `| ${formatCode(each.title_full!)} | ${each.entity_type} | ${each.owners.map(formatOwner).join(', ') || '–'} | ${escapeMarkdown(each.reason)} |`,
            ),
          ...(totals.breaks > MAX_ROWS
            ? ['', `… and ${(totals.breaks - Math.min(MAX_ROWS, breaks.length)).toLocaleString('en')} more.`]
            : []),
        ].join('\n')
      : '',
    owners.length > 0 ? `**Owners to notify:** ${owners.map((owner) => `${formatOwner(owner)} (${owner.count})`).join(', ')}` : '',
    totals.unowned > 0 ? `${totals.unowned.toLocaleString('en')} of these ${totals.unowned === 1 ? 'has' : 'have'} no owner.` : '',
    formatList('Columns with different sources', rewired.map(formatChange)),
    formatList(
      'Unresolved references',
      unresolved.map(({ table, name, reason }) => `${formatCode(name)} in ${formatCode(table)} (${reason.replaceAll('_', ' ')})`),
    ),
    formatList(
      'Deprecated',
      warnings.map(({ resource, text }) => `${formatCode(resource)}: ${escapeMarkdown(text)}`),
    ),
    formatList('Not compared', notes.map(escapeMarkdown)),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const formatHeadline = (breaks: number, truncated: boolean, changes: number): string => {
  if (breaks > 0)
    return `${truncated ? 'At least ' : ''}${breaks.toLocaleString('en')} downstream ${breaks === 1 ? 'resource' : 'resources'} would break`
  return changes > 0 ? 'No downstream resource would break' : 'No changes to resources in the catalog'
}

const formatChange = ({ title_full, detail }: Change): string => `${formatCode(title_full)} ${escapeMarkdown(detail)}`

const formatList = (title: string, lines: readonly string[]): string => {
  if (lines.length === 0) return ''
  const rest = lines.length - MAX_LINES
  const shown = rest > 0 ? [...lines.slice(0, MAX_LINES), `… and ${rest.toLocaleString('en')} more`] : lines
  return `**${title}**\n\n${shown.map((line) => `- ${line}`).join('\n')}`
}

const formatOwner = ({ id, name, email }: { id: string; name: string | null; email: string | null }): string =>
  escapeMarkdown(name ?? email ?? id)

/** Titles are untrusted text: inside a code span they cannot become Markdown, a mention or a link. */
const formatCode = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
  const ticks = '`'.repeat(Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return ticks.length > 1 ? `${ticks} ${flat} ${ticks}` : `${ticks}${flat}${ticks}`
}

const escapeMarkdown = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|@~]/g, '\\$&')
