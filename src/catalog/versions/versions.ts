import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type HistoryRequest, isLogged, listResourceLog, listVersionHistories } from '../../platform/history/list.ts'
import type { Change } from '../../platform/history/record.ts'
import type { ResourceLogPage, VersionHistory } from '../../platform/history/schema.ts'
import type { Envelope } from '../../platform/lists/page.ts'
import { can } from '../../platform/permissions/permissions.ts'
import { changesBetween } from '../records/change.ts'
import { type PastResource, replayVersions } from '../records/replay.ts'
import type { Resource } from '../records/schema.ts'
import { findVersionedResource, getVersionedResource, instantBefore, loadRecordAt, loadVersionEntries } from './as-of.ts'

export const listVersions = async (
  ctx: Context,
  request: HistoryRequest,
  id: string,
): Promise<Envelope & { results: VersionHistory[] }> => {
  await getVersionedResource(ctx, id)
  return listVersionHistories(ctx, request, id)
}

/** The activity log of a resource. With `audit.read`, also of any other record with an ID. */
export const listResourceActivities = async (ctx: Context, request: HistoryRequest, id: string): Promise<ResourceLogPage> => {
  const exists = (await findVersionedResource(ctx, id)) ?? (can(ctx.actor, 'audit.read') && (await isLogged(ctx, id)))
  if (!exists) throw notFound('resource', id)
  return listResourceLog(ctx, request, id)
}

/** The full record after this version, or before it if the version is a deletion. */
export const getVersionRecord = async (ctx: Context, id: string, version: number): Promise<Resource> => {
  const { row, at, deleted } = await getVersion(ctx, id, version)
  return loadRecordAt(ctx, row, deleted ? instantBefore(at) : at)
}

/** The versioned fields that differ between two versions. */
export const compareVersions = async (ctx: Context, id: string, from: number, to: number): Promise<Change[]> => {
  const [before, after] = await Promise.all([getVersion(ctx, id, from), getVersion(ctx, id, to)])
  return changesBetween(before.row, after.row)
}

export const getVersion = async (ctx: Context, id: string, version: number): Promise<PastResource> => {
  const [{ today }, entries] = await Promise.all([
    getVersionedResource(ctx, id),
    loadVersionEntries(ctx.db, id, sql`h.version = ${version}`),
  ])
  const past = replayVersions(id, today, entries)
  if (!past) throw new ApiError('not_found', translatable('Version {version} of this resource does not exist.', { version }))
  return past
}

/** The last version of a deleted resource: its deletion, which contains the record. */
export const getLastVersion = async (ctx: Context, id: string): Promise<PastResource> => {
  const past = replayVersions(id, undefined, await loadVersionEntries(ctx.db, id, sql`true`))
  if (!past) throw notFound('resource', id)
  return past
}
