import { normalizeChange } from '../../catalog/records/change.ts'
import type { ResourceRow } from '../../catalog/records/record.ts'
import type { ResourceChange } from '../../catalog/records/schema.ts'
import { flattenRow } from '../../catalog/records/type-fields.ts'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { editResources, type ResourceEditRequest } from '../../catalog/resources/edit.ts'
import { reportResources } from '../../catalog/resources/reported-fields.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import {
  deleteFieldSuggestions,
  deleteOrphanedFieldSuggestions,
  findFieldSuggestions,
  findSuggestedFor,
  forgetOrigins,
  forgetSuggestionsOfOthers,
  saveFieldSuggestions,
} from './field-suggestion-store.ts'
import { hashText } from './item.ts'
import { type Fields, mergeFields } from './merge.ts'

/** Sources that describe resources of other sources, e.g. dbt the tables of a warehouse. Their facts are shown under their name. */
const SECONDARY_SOURCES = ['dbt', 'openlineage', 'airflow', 'dagster', 'fivetran', 'airbyte', 'connector', 'datahub'] as const
export type SecondarySource = (typeof SECONDARY_SOURCES)[number]

/** The name of an integration type as a secondary source. */
export const findSecondarySource = (type: string): SecondarySource | undefined =>
  type === 'dbt_cloud' ? 'dbt' : SECONDARY_SOURCES.find((each) => each === type)
const listTypes = (source: SecondarySource): string[] => (source === 'dbt' ? ['dbt', 'dbt_cloud'] : [source])

/** Values a secondary source suggests for a resource of another source. */
export interface FieldSuggestion {
  readonly resource_id: string
  readonly fields: Pick<ResourceChange, 'description' | 'tags' | 'owners' | 'owners_groups' | 'terms' | 'collections'>
  /** Additional facts, shown as `display_metadata.<source>`. */
  readonly facts?: Readonly<Record<string, unknown>>
}

const BATCH_SIZE = 500

/**
 * Applies suggestions to other sources' resources. Empty fields are filled, and fields that still have this source's last value are updated;
 * everything else was written by a user or the primary source and stays. Tags and owners are added to the existing ones. Unchanged suggestions
 * write nothing.
 */
export const applyFieldSuggestions = async (
  ctx: Context,
  integration: string,
  source: SecondarySource,
  suggestions: readonly FieldSuggestion[],
): Promise<number> => {
  let changed = 0
  for (let i = 0; i < suggestions.length; i += BATCH_SIZE)
    changed += await applyBatch(ctx, integration, source, suggestions.slice(i, i + BATCH_SIZE))
  return changed
}

const applyBatch = (ctx: Context, integration: string, source: SecondarySource, suggestions: readonly FieldSuggestion[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const before = await findFieldSuggestions(
      ctx.db,
      integration,
      suggestions.map(({ resource_id }) => resource_id),
    )
    const changed = suggestions.filter(
      (suggestion) => before.get(suggestion.resource_id)?.fingerprint !== computeSuggestionFingerprint(suggestion),
    )
    if (changed.length === 0) return 0
    const rows = await lockVisibleRows(
      ctx,
      changed.map(({ resource_id }) => resource_id),
    )
    // A resource may have been deleted since.
    const existing = changed.filter(({ resource_id }) => rows.has(resource_id))
    const edits: ResourceEditRequest[] = []
    const reports: Parameters<typeof reportResources>[1][number][] = []
    const reported_values = new Map<string, Fields>()
    for (const { resource_id: id, fields, facts } of existing) {
      const row = rows.get(id)!
      const incoming = normalizeChange(fields) as Fields
      const base = before.get(id)?.reported_values
      // Fields it does not report this time keep their last suggestion.
      reported_values.set(id, {
        ...base,
        ...incoming,
        theirs: { ...(base?.theirs as object), ...findUserMembers(flattenRow(row) as Fields, base, incoming) },
      })
      const data = mergeFieldSuggestion(flattenRow(row) as Fields, before.get(id)?.reported_values, incoming)
      if (Object.keys(data).length > 0) edits.push({ id, data })
      if (facts) reports.push({ id, reported: { display_metadata: { ...getDisplayMetadata(row), [source]: facts } } })
    }
    if (edits.length > 0) await editResources(ctx, edits)
    await reportResources(ctx, reports)
    await saveFieldSuggestions(
      ctx.db,
      integration,
      existing.map((suggestion) => ({
        resource_id: suggestion.resource_id,
        reported_values: reported_values.get(suggestion.resource_id)!,
        fingerprint: computeSuggestionFingerprint(suggestion),
      })),
    )
    return new Set([...edits, ...reports].map(({ id }) => id)).size
  })

const computeSuggestionFingerprint = ({ fields, facts }: FieldSuggestion): string => hashText(JSON.stringify([fields, facts]))

/** The fields a secondary source may write. Lists are merged by member: new ones are added, dropped ones removed, others' members stay. Pure. */
export const mergeFieldSuggestion = (current: Fields, base: Fields | undefined, incoming: Fields): Record<string, unknown> => {
  const isList = isListField(current, base, incoming)
  const scalars = Object.fromEntries(Object.entries(incoming).filter(([field]) => !isList(field)))
  const written = mergeFields(current, base, scalars)
  for (const field of Object.keys(incoming).filter(isList)) {
    const [has, before, now, userMembers] = [current, base, incoming, base?.theirs as Fields | undefined].map((each) =>
      getMembers(each, field),
    )
    const after = [
      ...has!.filter((each) => !before!.includes(each) || now!.includes(each) || userMembers!.includes(each)),
      ...now!.filter((each) => !before!.includes(each) && !has!.includes(each)),
    ]
    if (after.length !== has!.length || after.some((each, i) => each !== has![i])) written[field] = after
  }
  return written
}

/** List members that existed before this source suggested them: they belong to users and are never removed. Pure. */
const findUserMembers = (current: Fields, base: Fields | undefined, incoming: Fields): Fields =>
  Object.fromEntries(
    Object.keys(incoming)
      .filter(isListField(current, base, incoming))
      .map((field) => {
        const [has, before, theirs] = [current, base, base?.theirs as Fields | undefined].map((each) => getMembers(each, field))
        return [
          field,
          getMembers(incoming, field).filter((each) => theirs!.includes(each) || (has!.includes(each) && !before!.includes(each))),
        ]
      }),
  )

const isListField =
  (...versions: (Fields | undefined)[]) =>
  (field: string): boolean =>
    versions.some((each) => Array.isArray(each?.[field]))
const getMembers = (fields: Fields | undefined, field: string): string[] => (fields?.[field] ?? []) as string[]

/**
 * Resources it no longer describes keep their values, which count as edited here from then on; its facts are removed, unless another integration of
 * the same kind suggests something for the resource: its facts have the same name, and it writes them again.
 */
export const withdrawFieldSuggestions = async (
  ctx: Context,
  integration: string,
  source: SecondarySource,
  keptIds: readonly string[],
): Promise<void> => {
  await deleteOrphanedFieldSuggestions(ctx.db, integration)
  for (;;) {
    const some = await inTransaction(ctx, async (ctx) => {
      const ids = await deleteFieldSuggestions(ctx.db, integration, keptIds, BATCH_SIZE)
      const rows = await lockVisibleRows(ctx, ids)
      await removeFacts(ctx, integration, source, [...rows.values()])
      return ids.length
    })
    if (some < BATCH_SIZE) return
  }
}

/**
 * Removes the facts of an integration that has no suggestions for these resources any more. Where others of the same kind have some, the facts stay
 * until their next sync, which writes them again, as does that of the integration a resource belongs to, if it is of this kind itself.
 */
export const removeFacts = async (
  ctx: Context,
  integration: string,
  source: SecondarySource,
  rows: readonly ResourceRow[],
): Promise<void> => {
  const withFacts = rows.filter((row) => source in getDisplayMetadata(row))
  const ids = withFacts.map(({ id }) => id)
  const shared = await findSuggestedFor(ctx.db, listTypes(source), ids)
  await forgetSuggestionsOfOthers(ctx.db, integration, [...shared])
  await forgetOrigins(ctx.db, listTypes(source), ids)
  await reportResources(
    ctx,
    withFacts
      .filter(({ id }) => !shared.has(id))
      .map((row) => {
        const { [source]: _, ...rest } = getDisplayMetadata(row)
        return { id: row.id, reported: { display_metadata: rest } }
      }),
  )
}

export const getDisplayMetadata = ({ display_metadata }: ResourceRow): Record<string, unknown> =>
  (display_metadata ?? {}) as Record<string, unknown>

/** Facts of secondary sources about a resource: the primary source reports its own without them. */
export const getSecondaryMetadata = (display_metadata: unknown): Record<string, unknown> => {
  const facts = (display_metadata ?? {}) as Record<string, unknown>
  return Object.fromEntries(SECONDARY_SOURCES.flatMap((source) => (source in facts ? [[source, facts[source]]] : [])))
}
