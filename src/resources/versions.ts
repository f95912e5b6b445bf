import { sql } from 'kysely'
import { can } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { notFound, Refusal } from '../errors.ts'
import { type HistoryRequest, isLogged, listResourceLog, listVersionHistories } from '../history/list.ts'
import type { Change } from '../history/record.ts'
import type { ResourceLogPage, VersionHistory } from '../history/schema.ts'
import type { Envelope } from '../lists/page.ts'
import { findSubject, getSubject, justBefore, readEntries, recordAt } from './as-of.ts'
import { changesBetween } from './change.ts'
import { type Past, replay } from './replay.ts'
import type { Resource } from './schema.ts'

export const listVersions = async (
  ctx: Context,
  request: HistoryRequest,
  id: string,
): Promise<Envelope & { results: VersionHistory[] }> => {
  await getSubject(ctx, id)
  return listVersionHistories(ctx, request, id)
}

/** The activity log of a resource. With `audit.read`, also of any other record with an ID. */
export const readResourceLog = async (ctx: Context, request: HistoryRequest, id: string): Promise<ResourceLogPage> => {
  const known = (await findSubject(ctx, id)) ?? (can(ctx.actor, 'audit.read') && (await isLogged(ctx, id)))
  if (!known) throw notFound('resource', id)
  return listResourceLog(ctx, request, id)
}

/** The full record after this version, or before it if the version is a deletion. */
export const readVersion = async (ctx: Context, id: string, version: number): Promise<Resource> => {
  const { row, at, deleted } = await getVersion(ctx, id, version)
  return recordAt(ctx, row, deleted ? justBefore(at) : at)
}

/** The versioned fields that differ between two versions. */
export const compareVersions = async (ctx: Context, id: string, from: number, to: number): Promise<Change[]> => {
  const [before, after] = await Promise.all([getVersion(ctx, id, from), getVersion(ctx, id, to)])
  return changesBetween(before.row, after.row)
}

export const getVersion = async (ctx: Context, id: string, version: number): Promise<Past> => {
  const [{ today }, entries] = await Promise.all([getSubject(ctx, id), readEntries(ctx.db, id, sql`h.version = ${version}`)])
  const past = replay(id, today, entries)
  if (!past) throw new Refusal('not_found', `Version ${version} of this resource does not exist.`)
  return past
}

/** The last version of a deleted resource: its deletion, which contains the record. */
export const getLastVersion = async (ctx: Context, id: string): Promise<Past> => {
  const past = replay(id, undefined, await readEntries(ctx.db, id, sql`true`))
  if (!past) throw notFound('resource', id)
  return past
}
