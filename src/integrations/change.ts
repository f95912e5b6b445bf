import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { conflict, invalid } from '../errors.ts'
import { diff } from '../history/diff.ts'
import { type Change, recordActivity } from '../history/record.ts'
import { readId } from '../id.ts'
import { isCron } from '../queue/cron.ts'
import {
  applyCredentials,
  type Credentials,
  type CredentialsIn,
  mustBeWhole,
  mustFit,
  mustKeepDestination,
  openPart,
  secretPart,
} from './credentials.ts'
import { DEMO_INTEGRATION, isDemoConnection, isOwn } from './own-database.ts'
import { nextSync } from './schedule.ts'
import type { IntegrationEdit, Schedule } from './schema.ts'
import type { IntegrationRow } from './store.ts'
import { type IntegrationType, typeOf } from './types.ts'
import { sealFor, unsealOf } from './vault.ts'

/** Applies an edit to an integration and records it without its secrets. */
export const blankRow = (id: string, now: Date): IntegrationRow => ({
  id,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
  name: '',
  type: 'custom',
  teams: null,
  connection: null,
  secrets: null,
  secrets_key: null,
  secret_fields: null,
  schedule: null,
  last_synced_at: null,
  last_sync_status: null,
  last_sync_error: null,
  next_sync_at: null,
  removal_job: null,
  preview_enabled: false,
})

/** The row after the edit. Absent = unchanged, null = cleared, arrays are replaced; credentials are merged field by field. */
export const applyEdit = async (ctx: Context, before: IntegrationRow, edit: IntegrationEdit): Promise<IntegrationRow> => {
  if (before.removal_job) throw conflict('This integration is being deleted.')
  const { name = before.name, type = before.type, teams, schedule = before.schedule, credentials, preview_enabled } = edit
  const after: IntegrationRow = {
    ...before,
    name: name.trim(),
    type,
    preview_enabled: preview_enabled ?? before.preview_enabled,
    teams: teams === undefined ? before.teams : idsOf(teams),
    schedule: readSchedule(typeOf(type), schedule as Schedule | null, edit.schedule !== undefined),
    ...(credentials === undefined && type === before.type
      ? {}
      : await rekey(ctx, before, typeOf(type), credentials as CredentialsIn | null)),
  }
  const next = nextSync(after, ctx.now)?.toISOString() ?? null
  // The next sync moves only when the schedule changes or becomes possible for the first time.
  const stays = next !== null && before.next_sync_at !== null && isDeepStrictEqual(before.schedule, after.schedule)
  return { ...after, next_sync_at: stays ? before.next_sync_at : next }
}

const idsOf = (ids: readonly string[] | null): string[] | null => {
  const read = [...new Set((ids ?? []).map((id) => readId(id)!))].sort()
  return read.length === 0 ? null : read
}

const readSchedule = (type: IntegrationType, schedule: Schedule | null, given: boolean): Schedule | null => {
  if (schedule === null) return null
  if (type.pushes_only && !given) return null // the integration became a push integration
  if (type.pushes_only) throw invalid({ schedule: [`${type.label} is a push integration: it cannot have a schedule.`] })
  const { interval_minutes, cron } = schedule
  if ((interval_minutes === undefined) === (cron === undefined)) throw invalid({ schedule: ['must have either interval_minutes or cron.'] })
  if (cron !== undefined && !isCron(cron)) throw invalid({ 'schedule.cron': ['must have five fields: minute hour day month weekday.'] })
  return interval_minutes === undefined ? { cron: cron! } : { interval_minutes }
}

/** Secrets that stay are unsealed and sealed again with the new ones; if none stays, a lost key does not matter. */
const rekey = async (ctx: Context, before: IntegrationRow, type: IntegrationType, given: CredentialsIn | null | undefined) => {
  if (isOwn(before.connection) || (before.id === DEMO_INTEGRATION && isDemoConnection(before.connection)))
    throw conflict('The connection of this integration is managed by Tablinum and cannot be changed.')
  if (given) mustFit(type, given)
  const stays = (name: string) => given !== null && given?.[name] === undefined && type.fields.some((field) => field.name === name)
  const staying = (before.secret_fields ?? []).filter(stays)
  const set = (before.connection as Credentials | null) ?? {}
  mustKeepDestination(type, { type: before.type, credentials: set }, applyCredentials(type, set, given), staying)
  const kept = staying.length > 0 ? await unsealOf(ctx, before) : {}
  const after = applyCredentials(type, { ...set, ...kept }, given)
  mustFit(type, after)
  mustBeWhole(type, after)
  const open = openPart(type, after)
  return { connection: Object.keys(open).length === 0 ? null : open, ...(await sealFor(ctx, before.id, secretPart(type, after))) }
}

const TOLD = ['name', 'type', 'teams', 'preview_enabled']
/** Stands for a secret in the history: that it was set, changed or cleared is recorded, its value is not. */
const HIDDEN = '•••'

/** The changed fields. A secret that was sent counts as changed even if it is the same: comparing would reveal something about it. */
export const changesOf = (
  before: Partial<IntegrationRow>,
  after: Partial<IntegrationRow>,
  sent: CredentialsIn | null | undefined,
): Change[] => {
  const fields = new Set([...Object.keys(before.connection ?? {}), ...Object.keys(after.connection ?? {})])
  const secrets = new Set([...(before.secret_fields ?? []), ...(after.secret_fields ?? [])])
  return [
    ...diff(before, after, TOLD),
    ...diff(flat(before.schedule), flat(after.schedule), ['schedule']),
    ...diff(before.connection ?? {}, after.connection ?? {}, [...fields]),
    ...[...secrets].flatMap((field) => {
      const [from, to] = [before, after].map(({ secret_fields }) => (secret_fields?.includes(field) ? HIDDEN : null))
      return from !== to || sent?.[field] !== undefined ? [{ field, from, to }] : []
    }),
  ]
}

const flat = (schedule: unknown): object => {
  const { interval_minutes, cron } = (schedule ?? {}) as Schedule
  return { schedule: interval_minutes ? `every ${interval_minutes} minutes` : cron }
}

export const tell = (
  ctx: Context,
  verb: 'created' | 'updated' | 'deleted',
  { id, name, type }: Pick<IntegrationRow, 'id' | 'name' | 'type'>,
  changes: readonly Change[],
  entry?: string,
): Promise<void> =>
  recordActivity(ctx, {
    ...(entry ? { id: entry } : {}),
    activity_type: `integration_${verb}`,
    resource_id: id,
    resource_type: 'integration',
    resource_title: name,
    resource_icon: typeOf(type).icon,
    integration_id: id,
    changes,
  })
