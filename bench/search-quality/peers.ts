import { sql } from 'kysely'
import MiniSearch from 'minisearch'
import type { Db } from '../../src/platform/db/connect.ts'
import { type Catalog, toResourceId } from './catalog.ts'
import type { Engine } from './evaluate.ts'
import { PAGE } from './metrics.ts'

/** The same catalog in engines anybody could use instead: MiniSearch and the full-text search of Postgres. */
interface PeerDocument {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  readonly description: string
  readonly path: string
  readonly columns: string
  readonly people: string
  readonly labels: string
  readonly usage: number
}

export const createPeers = async (db: Db, catalog: Catalog): Promise<Engine[]> => {
  const documents = toDocuments(catalog)
  await fillTable(db, documents)
  return [
    createMiniSearch('MiniSearch', documents, ['title', 'description']),
    createMiniSearch('MiniSearch, all fields, usage', documents, FIELDS, true),
    createFullText(db, 'Postgres, all words', '&'),
    createFullText(db, 'Postgres, any word', '|'),
  ]
}

const FIELDS = ['title', 'description', 'path', 'columns', 'people', 'labels'] as const

const toDocuments = ({ tables, dashboards, documents, terms }: Catalog): PeerDocument[] => {
  const blank = { path: '', columns: '', people: '', labels: '', usage: 0 }
  const pages = (
    [
      ['dashboard', dashboards],
      ['document', documents],
      ['glossary', terms],
    ] as const
  ).flatMap(([entity_type, list]) =>
    list.map(({ title, text }) => ({ ...blank, id: toResourceId(entity_type, title), entity_type, title, description: text })),
  )
  return [
    ...tables.map(({ id, path, title, subject, layer, description = '', columns, owner = '', tags, properties, usage }) => ({
      id,
      entity_type: 'table',
      title,
      description,
      path: path.split('.').slice(0, 2).join(' '),
      columns: columns.map(({ name, description: text = '' }) => `${name} ${text}`).join(' '),
      people: `${owner} ${layer.rank === 0 ? subject.domain.group : ''}`,
      labels: [...tags, ...Object.values(properties)].join(' '),
      usage,
    })),
    ...pages,
  ]
}

/** Names by their parts: `orderLines` and `order_lines` are two words. */
const splitWords = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

const createMiniSearch = (name: string, documents: readonly PeerDocument[], fields: readonly string[], byUsage = false): Engine => {
  const index = new MiniSearch<PeerDocument>({ fields: [...fields], storeFields: ['entity_type', 'usage'], tokenize: splitWords })
  index.addAll(documents)
  return {
    name,
    search: async ({ q, entity_type }) =>
      index
        .search(q, {
          prefix: true,
          fuzzy: 0.2,
          boost: { title: 3 },
          filter: (result) => !entity_type || result.entity_type === entity_type,
          ...(byUsage ? { boostDocument: (_id, _term, stored) => 1 + Math.log10(1 + Number(stored?.usage)) / 4 } : {}),
        })
        .slice(0, PAGE)
        .map(({ id }) => id as string),
  }
}

const fillTable = async (db: Db, documents: readonly PeerDocument[]): Promise<void> => {
  const rows = documents.map(({ id, entity_type, title, description, path, columns, people, labels }) => ({
    id,
    entity_type,
    title: splitWords(title).join(' '),
    description,
    rest: splitWords(`${path} ${columns} ${people} ${labels}`).join(' '),
  }))
  await sql`create table peer (id uuid primary key, entity_type text, words tsvector)`.execute(db)
  await sql`
    insert into peer
    select id, entity_type,
      setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'B')
        || setweight(to_tsvector('english', rest), 'D')
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id uuid, entity_type text, title text, description text, rest text)
  `.execute(db)
  await sql`create index on peer using gin (words)`.execute(db)
  await sql`analyze peer`.execute(db)
}

const createFullText = (db: Db, name: string, operator: '&' | '|'): Engine => ({
  name,
  search: async ({ q, entity_type }) => {
    const words = splitWords(q).join(` ${operator} `)
    if (words === '') return []
    const { rows } = await sql<{ id: string }>`
      select p.id from peer p, to_tsquery('english', ${words}) t
      where p.words @@ t and (${entity_type ?? null}::text is null or p.entity_type = ${entity_type ?? null})
      order by ts_rank(p.words, t) desc, p.id limit ${PAGE}
    `.execute(db)
    return rows.map(({ id }) => id)
  },
})
