import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { editResources } from '../resources/edit.ts'
import { flat, ownNames } from '../resources/own-fields.ts'
import { readRows } from '../resources/report.ts'
import { type Fields, isSources, same } from './merge.ts'
import type { Provenance } from './schema.ts'

/** Who said what of a resource: of each field its source speaks of. */
export const readProvenance = async (ctx: Context, id: string): Promise<Provenance[]> => {
  const row = (await readRows(ctx, [id])).get(id)
  if (!row) throw notFound('resource', id)
  const origin = await ctx.db.selectFrom('resource_origins').select('said').where('resource_id', '=', id).executeTakeFirst()
  const said = (origin?.said ?? {}) as Fields
  const held = flat(row) as Fields
  const told = Object.keys(said).map((field) => ({
    field,
    by: isSources(field, held, said) ? ('source' as const) : ('person' as const),
    value: held[field] ?? null,
    source_value: said[field] ?? null,
  }))
  const elsewhere = told.find(({ field, by }) => field === 'parent' && by === 'person')?.source_value
  // Where its source puts it may be a place this caller does not see.
  const hidden = typeof elsewhere === 'string' && !(await readRows(ctx, [elsewhere])).has(elsewhere)
  return hidden ? told.filter(({ field }) => field !== 'parent') : told
}

/** Gives a field back to its source: it says what the source says, and follows it from then on. */
export const takeBack = (ctx: Context, id: string, field: string): Promise<Provenance[]> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const told = (await readProvenance(ctx, id)).find((each) => each.field === field)
    if (!told) throw invalid({ field: [`The source says nothing of this field.`] })
    const value = told.source_value
    const row = (await readRows(ctx, [id])).get(id)!
    const own = ownNames(row.entity_type).includes(field)
    if (!same(told.value, value))
      await editResources(ctx, [own ? { id, data: {}, own: { [field]: value } } : { id, data: { [field]: value } }])
    return readProvenance(ctx, id)
  })
