import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { formatText, translatable } from '../../platform/core/translatable.ts'
import { type Activity, recordActivity } from '../../platform/history/record.ts'
import { createJob, listActiveJobs } from '../../platform/jobs/jobs.ts'
import type { JobHandler, ReportProgress } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getIntegrationType } from '../credentials/types.ts'
import { DRIVER_NAMES, DRIVERS, type DriverName, isDriverName } from './driver-packages.ts'
import { InstallError } from './npm.ts'
import type { Driver } from './schema.ts'

export const INSTALL_DRIVER_JOB = 'install_driver'
/** What is left is moving it to its place. */
const MAX_PROGRESS = 95

/** Of one installation: its job, whose ID is in the history of both its start and its end. */
interface InstallPayload {
  readonly name: DriverName
  readonly job: string
}

export const listDrivers = async (ctx: Context): Promise<Driver[]> => {
  requirePermission(ctx.actor, 'server.manage')
  const jobs = await findInstallations(ctx)
  return Promise.all(DRIVER_NAMES.map((name) => describeDriver(ctx, name, jobs.get(name))))
}

const describeDriver = async ({ runtime: { drivers } }: Context, name: DriverName, job: Job | undefined): Promise<Driver> => {
  const installed = drivers.isInstalled(name)
  const obstacle = installed ? undefined : await drivers.findObstacle(name)
  return {
    ...{ name, label: getIntegrationType(name).label, ...DRIVERS[name], version: drivers.getVersion(name), installed },
    integration_types: [name],
    obstacle: obstacle ? formatText(obstacle) : null,
    translatable: obstacle ?? null,
    job: installed ? null : (job ?? null),
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
    const active = (await findInstallations(ctx)).get(name)
    if (active) return active
    const id = newId()
    const payload: InstallPayload = { name, job: id }
    const title = `Install the driver for ${label}`
    const job = await createJob(ctx, { id, kind: INSTALL_DRIVER_JOB, title, payload, queue: INSTALL_DRIVER_JOB })
    await recordActivity(ctx, describeActivity(ctx, 'driver_requested', payload))
    return job
  })
}

/** The jobs that are queued or running. */
const findInstallations = async (ctx: Context): Promise<Map<DriverName, Job>> =>
  new Map((await listActiveJobs(ctx, INSTALL_DRIVER_JOB)).map(({ job, payload }) => [(payload as InstallPayload).name, job]))

const describeActivity = (
  ctx: Context,
  activity_type: 'driver_requested' | 'driver_installed',
  { name, job }: InstallPayload,
): Activity => ({
  activity_type,
  resource_id: job,
  resource_type: 'driver',
  resource_title: `${DRIVERS[name].package}@${ctx.runtime.drivers.getVersion(name)}`,
  changes: [],
})

/** Installing it again, after a crash, starts from nothing. */
export const runInstallDriverJob: JobHandler = async (ctx, payload, report, stopping) => {
  const installation = payload as InstallPayload
  if (!ctx.runtime.drivers.isInstalled(installation.name)) await downloadDriver(ctx, installation.name, report, stopping)
  await recordInstalled(ctx, installation)
}

const downloadDriver = async (
  { runtime: { drivers } }: Context,
  name: DriverName,
  report: ReportProgress,
  stopping = new AbortController().signal,
): Promise<void> => {
  await report(1, `Downloading ${DRIVERS[name].package}@${drivers.getVersion(name)} and what it depends on.`)
  try {
    await drivers.install(name, { signal: stopping, onProgress: (share) => report(1 + (MAX_PROGRESS - 1) * share) })
  } catch (error) {
    if (stopping.aborted) throw new Error('The server was stopped. The installation starts again with it.')
    throw error instanceof InstallError ? conflict(error.message) : error
  }
}

/** Once, also if an earlier attempt was killed after it had installed the driver. */
const recordInstalled = (ctx: Context, installation: InstallPayload): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const activity = describeActivity(ctx, 'driver_installed', installation)
    const recorded = await ctx.db
      .selectFrom('activities')
      .select('id')
      .where('resource_id', '=', installation.job)
      .where('activity_type', '=', activity.activity_type)
      .executeTakeFirst()
    if (!recorded) await recordActivity(ctx, activity)
  })
