import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { editResources } from '../resources/edit.ts'
import { flat, ownNames } from '../resources/own-fields.ts'
import { readRows } from '../resources/report.ts'
import { type Fields, isSources, same } from './merge.ts'
import { findSpoken } from './offer-store.ts'
import type { Provenance } from './schema.ts'

/** For each field its sources report: the value, and whether it comes from a source or was edited here. */
export const readProvenance = async (ctx: Context, id: string): Promise<Provenance[]> => {
  const row = (await readRows(ctx, [id])).get(id)
  if (!row) throw notFound('resource', id)
  const spoken = await findSpoken(ctx.db, id)
  const held = flat(row) as Fields
  const by = (field: string) => (spoken.some(({ said }) => field in said && isSources(field, held, said)) ? 'source' : 'person')
  const told = spoken.flatMap(({ said, source }) =>
    Object.keys(said).map(
      (field): Provenance => ({ field, by: by(field), value: held[field] ?? null, source, source_value: said[field] ?? null }),
    ),
  )
  const elsewhere = told.find(({ field, by }) => field === 'parent' && by === 'person')?.source_value
  // The parent in the source may be a resource this caller cannot see.
  const hidden = typeof elsewhere === 'string' && !(await readRows(ctx, [elsewhere])).has(elsewhere)
  return hidden ? told.filter(({ field }) => field !== 'parent') : told
}

/** Resets a field to the value of a source; later syncs update it again. */
export const takeBack = (ctx: Context, id: string, field: string, source?: string): Promise<Provenance[]> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const told = (await readProvenance(ctx, id)).find((each) => each.field === field && (!source || each.source === source))
    if (!told) throw invalid({ field: [`The source does not report this field.`] })
    const value = told.source_value
    const row = (await readRows(ctx, [id])).get(id)!
    const own = ownNames(row.entity_type).includes(field)
    if (!same(told.value, value))
      await editResources(ctx, [own ? { id, data: {}, own: { [field]: value } } : { id, data: { [field]: value } }])
    return readProvenance(ctx, id)
  })
