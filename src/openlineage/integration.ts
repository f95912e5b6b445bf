import { sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid, Refusal } from '../errors.ts'
import { newId, readId } from '../id.ts'
import { blankRow, tell } from '../integrations/change.ts'
import { getRow, insertRow } from '../integrations/store.ts'

/** The integration of events: the one the caller names, else the one with the name of the namespace. */
export const integrationFor = (ctx: Context, namespace: string, named: string | undefined): Promise<string> =>
  named === undefined ? findOrRegister(ctx, namespace) : mustTake(ctx, named)

const TAKES = ['openlineage', 'custom']

const mustTake = async (ctx: Context, named: string): Promise<string> => {
  const id = readId(named)
  if (!id) throw invalid({ integration: ['must be a UUID.'] })
  const row = await getRow(ctx, id).catch((error) => {
    throw error instanceof Refusal ? invalid({ integration: [`Integration ${id} does not exist.`] }) : error
  })
  if (!TAKES.includes(row.type)) throw invalid({ integration: ['Only integrations of type openlineage or custom accept events.'] })
  return id
}

const LONGEST_NAME = 200

/** Everyone who pushes metadata is an integration: the first event of a namespace creates it. */
const findOrRegister = async (ctx: Context, namespace: string): Promise<string> => {
  const name = namespace.trim().slice(0, LONGEST_NAME).toWellFormed()
  const known = await find(ctx, name)
  if (known) return known
  await sql`select pg_advisory_xact_lock(hashtextextended(${`openlineage namespace ${name}`}, 0))`.execute(ctx.db)
  const meanwhile = await find(ctx, name)
  if (meanwhile) return meanwhile
  const row = { ...blankRow(newId(), ctx.now), name, type: 'openlineage' }
  await insertRow(ctx, row)
  await tell(ctx, 'created', row, [])
  return row.id
}

const find = async (ctx: Context, name: string): Promise<string | undefined> => {
  const seen = ctx.actor.role === 'admin' ? sql`true` : visibleTo(ctx.actor, 'i')
  const { rows } = await sql<{ id: string }>`
    select i.id from integrations i
    where lower(i.name) collate "C" = lower(${name}) and i.type = 'openlineage' and ${seen}
      and not exists (select from background_jobs j where j.id = i.removal_job and j.completed is null)
    order by i.created_at, i.id limit 1
  `.execute(ctx.db)
  return rows[0]?.id
}
