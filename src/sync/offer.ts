import { type Context, inTransaction } from '../context.ts'
import { readChange } from '../resources/change.ts'
import { editResources, type ResourceEdition } from '../resources/edit.ts'
import { flat } from '../resources/own-fields.ts'
import type { ResourceRow } from '../resources/record.ts'
import { holdRows, reportResources } from '../resources/report.ts'
import type { ResourceChange } from '../resources/schema.ts'
import { hashOf } from './item.ts'
import { type Fields, merge } from './merge.ts'
import { findOffers, forgetOffers, putSaid, removeOffers } from './offer-store.ts'

/** Sources that describe resources of other sources, e.g. dbt the tables of a warehouse. Their facts are shown under their name. */
const VOICES = ['dbt', 'openlineage'] as const
export type Voice = (typeof VOICES)[number]

/** Values a secondary source suggests for a resource of another source. */
export interface Offer {
  readonly resource_id: string
  readonly fields: Pick<ResourceChange, 'description' | 'tags' | 'owners'>
  /** Additional facts, shown as `display_metadata.<source>`. */
  readonly facts?: Readonly<Record<string, unknown>>
}

const BATCH = 500

/**
 * Applies suggestions to other sources' resources. Empty fields are filled, and fields that still have this source's last value are updated;
 * everything else was written by a user or the primary source and stays. Tags and owners are added to the existing ones. Unchanged suggestions
 * write nothing.
 */
export const putOffers = async (ctx: Context, integration: string, voice: Voice, offers: readonly Offer[]): Promise<number> => {
  let changed = 0
  for (let i = 0; i < offers.length; i += BATCH) changed += await putSome(ctx, integration, voice, offers.slice(i, i + BATCH))
  return changed
}

const putSome = (ctx: Context, integration: string, voice: Voice, offers: readonly Offer[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const before = await findOffers(
      ctx.db,
      integration,
      offers.map(({ resource_id }) => resource_id),
    )
    const fresh = offers.filter((offer) => before.get(offer.resource_id)?.fingerprint !== fingerprintOf(offer))
    if (fresh.length === 0) return 0
    const rows = await holdRows(
      ctx,
      fresh.map(({ resource_id }) => resource_id),
    )
    // A resource may have been deleted since.
    const standing = fresh.filter(({ resource_id }) => rows.has(resource_id))
    const edits: ResourceEdition[] = []
    const reports: Parameters<typeof reportResources>[1][number][] = []
    const said = new Map<string, Fields>()
    for (const { resource_id: id, fields, facts } of standing) {
      const row = rows.get(id)!
      const says = readChange(fields) as Fields
      const former = before.get(id)?.said
      // Fields it does not report this time keep their last suggestion.
      said.set(id, { ...former, ...says, theirs: { ...(former?.theirs as object), ...theirsOf(flat(row) as Fields, former, says) } })
      const data = mergeOffer(flat(row) as Fields, before.get(id)?.said, says)
      if (Object.keys(data).length > 0) edits.push({ id, data })
      if (facts) reports.push({ id, reported: { display_metadata: { ...metadataOf(row), [voice]: facts } } })
    }
    if (edits.length > 0) await editResources(ctx, edits)
    await reportResources(ctx, reports)
    await putSaid(
      ctx.db,
      integration,
      standing.map((offer) => ({
        resource_id: offer.resource_id,
        said: said.get(offer.resource_id)!,
        fingerprint: fingerprintOf(offer),
      })),
    )
    return new Set([...edits, ...reports].map(({ id }) => id)).size
  })

const fingerprintOf = ({ fields, facts }: Offer): string => hashOf(JSON.stringify([fields, facts]))

/** The fields a secondary source may write. Lists are merged by member: new ones are added, dropped ones removed, others' members stay. Pure. */
export const mergeOffer = (held: Fields, said: Fields | undefined, says: Fields): Record<string, unknown> => {
  const isList = isListIn(held, said, says)
  const scalars = Object.fromEntries(Object.entries(says).filter(([field]) => !isList(field)))
  const written = merge(held, said, scalars)
  for (const field of Object.keys(says).filter(isList)) {
    const [has, before, now, theirs] = [held, said, says, said?.theirs as Fields | undefined].map((each) => membersOf(each, field))
    const after = [
      ...has!.filter((each) => !before!.includes(each) || now!.includes(each) || theirs!.includes(each)),
      ...now!.filter((each) => !before!.includes(each) && !has!.includes(each)),
    ]
    if (after.length !== has!.length || after.some((each, i) => each !== has![i])) written[field] = after
  }
  return written
}

/** List members that existed before this source suggested them: they belong to users and are never removed. Pure. */
const theirsOf = (held: Fields, said: Fields | undefined, says: Fields): Fields =>
  Object.fromEntries(
    Object.keys(says)
      .filter(isListIn(held, said, says))
      .map((field) => {
        const [has, before, theirs] = [held, said, said?.theirs as Fields | undefined].map((each) => membersOf(each, field))
        return [field, membersOf(says, field).filter((each) => theirs!.includes(each) || (has!.includes(each) && !before!.includes(each)))]
      }),
  )

const isListIn =
  (...voices: (Fields | undefined)[]) =>
  (field: string): boolean =>
    voices.some((each) => Array.isArray(each?.[field]))
const membersOf = (voice: Fields | undefined, field: string): string[] => (voice?.[field] ?? []) as string[]

/** Resources it no longer describes keep their values, which count as edited here from then on; its facts are removed. */
export const withdrawOffers = async (ctx: Context, integration: string, voice: Voice, kept: readonly string[]): Promise<void> => {
  await forgetOffers(ctx.db, integration)
  for (;;) {
    const some = await inTransaction(ctx, async (ctx) => {
      const ids = await removeOffers(ctx.db, integration, kept, BATCH)
      const rows = await holdRows(ctx, ids)
      await reportResources(
        ctx,
        [...rows.values()]
          .filter((row) => voice in metadataOf(row))
          .map((row) => {
            const { [voice]: _, ...rest } = metadataOf(row)
            return { id: row.id, reported: { display_metadata: rest } }
          }),
      )
      return ids.length
    })
    if (some < BATCH) return
  }
}

export const metadataOf = ({ display_metadata }: ResourceRow): Record<string, unknown> =>
  (display_metadata ?? {}) as Record<string, unknown>

/** Facts of secondary sources about a resource: the primary source reports its own without them. */
export const voicesOf = (display_metadata: unknown): Record<string, unknown> => {
  const facts = (display_metadata ?? {}) as Record<string, unknown>
  return Object.fromEntries(VOICES.flatMap((voice) => (voice in facts ? [[voice, facts[voice]]] : [])))
}
