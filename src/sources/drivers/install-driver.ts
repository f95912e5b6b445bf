import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { formatText, translatable } from '../../platform/core/translatable.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { createJob, getJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getIntegrationType } from '../credentials/types.ts'
import { DRIVER_NAMES, DRIVERS, type DriverName, isDriverName } from './driver-packages.ts'
import type { Driver } from './schema.ts'

export const INSTALL_DRIVER_JOB = 'install_driver'
/** What is left is moving it to its place. */
const MAX_PROGRESS = 95

export const listDrivers = async (ctx: Context): Promise<Driver[]> => {
  requirePermission(ctx.actor, 'server.manage')
  const drivers: Driver[] = []
  for (const name of DRIVER_NAMES) drivers.push(await describeDriver(ctx, name))
  return drivers
}

const describeDriver = async (ctx: Context, name: DriverName): Promise<Driver> => {
  const { drivers } = ctx.runtime
  const installed = drivers.isInstalled(name)
  const obstacle = installed ? undefined : await drivers.findObstacle(name)
  const job = installed ? undefined : await findActiveJob(ctx, name)
  return {
    ...{ name, label: getIntegrationType(name).label, ...DRIVERS[name], version: drivers.getVersion(name), installed },
    integration_types: [name],
    obstacle: obstacle ? formatText(obstacle) : null,
    translatable: obstacle ?? null,
    job: job === undefined ? null : await getJob(ctx, job),
  }
}

/** While an installation is queued or running, its job is returned. */
export const installDriver = async (ctx: Context, name: string): Promise<Job> => {
  requirePermission(ctx.actor, 'server.manage')
  if (!isDriverName(name)) throw notFound('driver', name)
  const { drivers } = ctx.runtime
  const { label } = getIntegrationType(name)
  if (drivers.isInstalled(name)) throw conflict(translatable('The driver for {label} is already installed.', { label }))
  const obstacle = await drivers.findObstacle(name)
  if (obstacle) throw conflict(obstacle)
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('install_driver', 0))`.execute(ctx.db)
    const active = await findActiveJob(ctx, name)
    if (active !== undefined) return getJob(ctx, active)
    const job = await createJob(ctx, {
      kind: INSTALL_DRIVER_JOB,
      title: toTitle(name),
      payload: { name },
      queue: INSTALL_DRIVER_JOB,
    })
    await record(ctx, 'driver_requested', name, job.id)
    return job
  })
}

const toTitle = (name: DriverName): string => `Install the driver for ${getIntegrationType(name).label}`

const findActiveJob = async ({ db }: Context, name: DriverName): Promise<string | undefined> => {
  const row = await db
    .selectFrom('background_jobs')
    .select('id')
    .where('kind', '=', INSTALL_DRIVER_JOB)
    .where('title', '=', toTitle(name))
    .where('completed', 'is', null)
    .where('cancel_requested', '=', false)
    .executeTakeFirst()
  return row?.id
}

const record = (ctx: Context, activity_type: 'driver_requested' | 'driver_installed', name: DriverName, job: string): Promise<void> =>
  recordActivity(ctx, {
    activity_type,
    resource_id: job,
    resource_type: 'driver',
    resource_title: `${DRIVERS[name].package}@${ctx.runtime.drivers.getVersion(name)}`,
    changes: [],
  })

/** Installing it again, after a crash, starts from nothing. */
export const runInstallDriverJob: JobHandler = async (ctx, payload, report) => {
  const { name } = payload as { name: DriverName }
  const { drivers } = ctx.runtime
  if (drivers.isInstalled(name)) return
  await report(1, `Downloading ${DRIVERS[name].package}@${drivers.getVersion(name)} and what it depends on.`)
  try {
    await drivers.install(name, { signal: new AbortController().signal, onProgress: (share) => report(1 + (MAX_PROGRESS - 1) * share) })
  } catch (error) {
    throw conflict((error as Error).message) // another attempt would find the same
  }
  await inTransaction(ctx, (ctx) => record(ctx, 'driver_installed', name, newId()))
}
