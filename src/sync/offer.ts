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

/** Sources that speak of what is another source's: dbt of the tables of a warehouse. What they know is shown under their name. */
const VOICES = ['dbt', 'openlineage'] as const
export type Voice = (typeof VOICES)[number]

/** What a source says of a resource that is not its own. */
export interface Offer {
  readonly resource_id: string
  readonly fields: Pick<ResourceChange, 'description' | 'tags' | 'owners'>
  /** What else it knows, shown as `display_metadata.<voice>`. */
  readonly facts?: Readonly<Record<string, unknown>>
}

const BATCH = 500

/**
 * Says these words of other sources' resources. What is empty is filled, and what still is as this voice said it follows; anything else was said
 * by a person or by the source itself, and stays. Tags and owners come on top of those there are. Saying the same again writes nothing.
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
    // Somebody may have deleted one since.
    const standing = fresh.filter(({ resource_id }) => rows.has(resource_id))
    const edits: ResourceEdition[] = []
    const reports: Parameters<typeof reportResources>[1][number][] = []
    const said = new Map<string, Fields>()
    for (const { resource_id: id, fields, facts } of standing) {
      const row = rows.get(id)!
      const says = readChange(fields) as Fields
      const former = before.get(id)?.said
      // What it does not speak of this time it has still said.
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

/** What a second voice may write. Of lists each member by itself: what it says anew is added, what it says no longer goes, the rest is not its own. Pure. */
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

/** Members of lists that were there before this voice said the same: people's, which it never takes away. Pure. */
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

/** What it no longer speaks of keeps its words, which are nobody's but people's then; what else it knew of it is shown no longer. */
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

/** What second voices know of a resource: the source it belongs to tells its own facts without it. */
export const voicesOf = (display_metadata: unknown): Record<string, unknown> => {
  const facts = (display_metadata ?? {}) as Record<string, unknown>
  return Object.fromEntries(VOICES.flatMap((voice) => (voice in facts ? [[voice, facts[voice]]] : [])))
}
