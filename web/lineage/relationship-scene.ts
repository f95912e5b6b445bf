import { t } from '../i18n/messages.ts'
import type { Relationships } from './graph/queries.ts'
import { type Box, getBoxHeight, getParentPath, type Link, type Scene } from './graph/scene.ts'

/** The ID of the link of a relationship: its index. */
export const toLinkId = (index: number): string => `relationship-${index}`

/** Tables with their key columns as boxes, foreign keys and joins as links. Tables without relationships are left out. */
export const buildRelationshipScene = ({ tables, relationships }: Relationships, start: string): Scene => {
  const related = new Set(relationships.flatMap(({ from, to }) => [from, to]))
  const boxes = tables
    .filter(({ id }) => related.has(id))
    .map(({ id, title, title_full, verified, deprecated, columns }): Box => {
      const height = getBoxHeight(columns.length, 0)
      return {
        id,
        title,
        path: getParentPath(title, title_full),
        kind: 'table',
        start: id === start,
        verified,
        pii: false,
        stale: false,
        deprecated,
        archived: false,
        more_upstream: 0,
        more_downstream: 0,
        rows: columns.map(({ id, title, type, is_pk }) => ({ id, title, type: is_pk ? t('key // of a table') : type })),
        openable: false,
        more_rows: 0,
        members: 0,
        height,
        port: height / 2,
      }
    })
  const links = relationships.flatMap(({ kind, from, to, columns, queries }, i): Link[] =>
    // A link from a table to itself has no place between two ranks; the list names it.
    from === to
      ? []
      : [
          {
            id: toLinkId(i),
            from,
            to,
            from_row: columns[0]?.from.id ?? undefined,
            to_row: columns[0]?.to.id ?? undefined,
            manual: false,
            only_manual: false,
            indirect: kind === 'join', // dotted
            kinds: [],
            queries: queries ?? 0,
          },
        ],
  )
  return { boxes, links, indexById: new Map(boxes.map(({ id }, i) => [id, i])) }
}
