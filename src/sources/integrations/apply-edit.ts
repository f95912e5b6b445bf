import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { type Change, recordActivity } from '../../platform/history/record.ts'
import { isCron, isTimezone } from '../../platform/queue/cron.ts'
import {
  applyCredentials,
  assertCredentialFields,
  assertCredentialsComplete,
  type Credentials,
  type CredentialsInput,
  getPublicCredentials,
  getSecretCredentials,
  requireSecretsForNewDestination,
} from '../credentials/credentials.ts'
import { DEMO_INTEGRATION, isDemoConnection, isInternalConnection } from '../credentials/demo-connection.ts'
import type { IntegrationType } from '../credentials/integration-type.ts'
import { getIntegrationType } from '../credentials/types.ts'
import type { IntegrationRow } from './integration-rows.ts'
import { computeNextSync } from './schedule.ts'
import type { IntegrationEdit, Schedule } from './schema.ts'
import { sealCredentials, unsealCredentials } from './vault.ts'

/** Applies an edit to an integration and records it without its secrets. */
export const emptyIntegrationRow = (id: string, now: Date): IntegrationRow => ({
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
  sql_dialect: null,
  hidden_teams: null,
})

/** The row after the edit. Absent = unchanged, null = cleared, arrays are replaced; credentials are merged field by field. */
export const applyIntegrationEdit = async (ctx: Context, before: IntegrationRow, edit: IntegrationEdit): Promise<IntegrationRow> => {
  if (before.removal_job) throw conflict(translatable('This integration is being deleted.'))
  const { name = before.name, type = before.type, teams, schedule = before.schedule, credentials, preview_enabled } = edit
  const after: IntegrationRow = {
    ...before,
    name: name.trim(),
    type,
    preview_enabled: preview_enabled ?? before.preview_enabled,
    teams: teams === undefined ? before.teams : normalizeTeams(teams),
    schedule: parseSyncSchedule(getIntegrationType(type), schedule as Schedule | null, edit.schedule !== undefined),
    ...(credentials === undefined && type === before.type
      ? {}
      : await applyCredentialEdit(ctx, before, getIntegrationType(type), credentials as CredentialsInput | null)),
  }
  const next = computeNextSync(after, ctx.now)?.toISOString() ?? null
  // The next sync moves only when the schedule changes or becomes possible for the first time.
  const keepsNextSync = next !== null && before.next_sync_at !== null && isDeepStrictEqual(before.schedule, after.schedule)
  return { ...after, next_sync_at: keepsNextSync ? before.next_sync_at : next }
}

const normalizeTeams = (ids: readonly string[] | null): string[] | null => {
  const read = [...new Set((ids ?? []).map((id) => parseId(id)!))].sort()
  return read.length === 0 ? null : read
}

const parseSyncSchedule = (type: IntegrationType, schedule: Schedule | null, isEdited: boolean): Schedule | null => {
  if (schedule === null) return null
  if (type.pushes_only && !isEdited) return null // the integration became a push integration
  if (type.pushes_only)
    throw invalid({ schedule: [translatable('{type} is a push integration: it cannot have a schedule.', { type: type.label })] })
  const { interval_minutes, cron, timezone } = schedule
  if ((interval_minutes === undefined) === (cron === undefined)) throw invalid({ schedule: ['must have either interval_minutes or cron.'] })
  if (cron !== undefined && !isCron(cron))
    throw invalid({ 'schedule.cron': [translatable('must have five fields: minute hour day month weekday.')] })
  if (timezone !== undefined && cron === undefined)
    throw invalid({ 'schedule.timezone': [translatable('requires cron: an interval has no time zone.')] })
  if (timezone !== undefined && !isTimezone(timezone))
    throw invalid({ 'schedule.timezone': [translatable('must be an IANA time zone such as Europe/Berlin.')] })
  if (interval_minutes !== undefined) return { interval_minutes }
  return { cron: cron!, ...(timezone === undefined || timezone === 'UTC' ? {} : { timezone }) }
}

/** Secrets that stay are unsealed and sealed again with the new ones; if none stays, a lost key does not matter. */
const applyCredentialEdit = async (
  ctx: Context,
  before: IntegrationRow,
  type: IntegrationType,
  input: CredentialsInput | null | undefined,
) => {
  if (isInternalConnection(before.connection) || (before.id === DEMO_INTEGRATION && isDemoConnection(before.connection)))
    throw conflict(translatable('The connection of this integration is managed by Tablinum and cannot be changed.'))
  if (input) assertCredentialFields(type, input)
  const isKept = (name: string) => input !== null && input?.[name] === undefined && type.fields.some((field) => field.name === name)
  const keptSecrets = (before.secret_fields ?? []).filter(isKept)
  const current = (before.connection as Credentials | null) ?? {}
  requireSecretsForNewDestination(type, { type: before.type, credentials: current }, applyCredentials(type, current, input), keptSecrets)
  const unsealed = keptSecrets.length > 0 ? await unsealCredentials(ctx, before) : {}
  const after = applyCredentials(type, { ...current, ...unsealed }, input)
  assertCredentialFields(type, after)
  assertCredentialsComplete(type, after)
  const publicFields = getPublicCredentials(type, after)
  return {
    connection: Object.keys(publicFields).length === 0 ? null : publicFields,
    ...(await sealCredentials(ctx, before.id, getSecretCredentials(type, after))),
  }
}

const AUDITED_INTEGRATION_FIELDS = ['name', 'type', 'teams', 'preview_enabled']
/** Stands for a secret in the history: that it was set, changed or cleared is recorded, its value is not. */
const REDACTED = '•••'

/** The changed fields. A secret that was sent counts as changed even if it is the same: comparing would reveal something about it. */
export const diffIntegration = (
  before: Partial<IntegrationRow>,
  after: Partial<IntegrationRow>,
  sent: CredentialsInput | null | undefined,
): Change[] => {
  const fields = new Set([...Object.keys(before.connection ?? {}), ...Object.keys(after.connection ?? {})])
  const secrets = new Set([...(before.secret_fields ?? []), ...(after.secret_fields ?? [])])
  return [
    ...diffFields(before, after, AUDITED_INTEGRATION_FIELDS),
    ...diffFields(flattenSchedule(before.schedule), flattenSchedule(after.schedule), ['schedule']),
    ...diffFields(before.connection ?? {}, after.connection ?? {}, [...fields]),
    ...[...secrets].flatMap((field) => {
      const [from, to] = [before, after].map(({ secret_fields }) => (secret_fields?.includes(field) ? REDACTED : null))
      return from !== to || sent?.[field] !== undefined ? [{ field, from, to }] : []
    }),
  ]
}

const flattenSchedule = (schedule: unknown): object => {
  const { interval_minutes, cron, timezone } = (schedule ?? {}) as Schedule
  return { schedule: interval_minutes ? `every ${interval_minutes} minutes` : timezone ? `${cron}, ${timezone}` : cron }
}

export const recordIntegrationChange = (
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
    resource_icon: getIntegrationType(type).icon,
    integration_id: id,
    changes,
  })
