import type { Discovered } from '../../../connector/src/define.ts'
import type { ItemMessage } from '../../../connector/src/protocol.ts'
import type { Shape } from '../../../connector/src/shape.ts'
import type { Context } from '../../platform/context/context.ts'
import { type JobRun, toLastRun, toRunItems, toTime } from '../connectors/orchestration/runs.ts'
import { SavedRuns } from '../connectors/orchestration/saved-runs.ts'
import { toItem } from '../connectors/programs/program-items.ts'
import { type Connector, type DiscoveryContext, requireCatalogContext, type Source } from '../connectors/shared/connector.ts'
import type { Item } from '../sync/item.ts'
import { DbtCloudApi } from './cloud-api.ts'
import { CloudState, DownloadedRuns, getEnd } from './cloud-state.ts'
import { type RunSteps, readSteps } from './cloud-steps.ts'
import { toDbtSync } from './connector.ts'
import { compress, saveArtifacts, saveResults } from './dbt-rows.ts'
import { ArtifactError } from './project.ts'
import { ARTIFACT_FILES, nameEarlierResults, RESULTS_FILE, readProject } from './reader.ts'
import { applyProjectToOthers, discoverProject } from './sync.ts'

const STATUSES: Readonly<Record<number, string>> = { 1: 'queued', 2: 'starting', 3: 'running', 10: 'success', 20: 'error', 30: 'cancelled' }
const [SUCCESS, ERROR] = [STATUSES[10], STATUSES[20]]
const GROUP = 'dbt cloud'

/** A project of dbt Cloud: its jobs and runs, and the project itself from the artifacts of the last successful run of each job. */
export const dbtCloudConnector: Connector = {
  test: async (source) => {
    const jobs = await new DbtCloudApi(source).listJobs()
    return `Connected to dbt Cloud: ${jobs.length} jobs.`
  },

  async *discover(source, context) {
    const ctx = requireCatalogContext(context)
    const api = new DbtCloudApi(source, context.log)
    const jobs = await api.listJobs()
    const items: Item[] = [{ key: GROUP, entity_type: 'job_group', fields: { title: 'dbt Cloud', native_type: 'dbt Cloud' } }]
    const latest: JobRun[] = []
    const failed: JobRun[] = []
    const state = await CloudState.load(ctx, source, context.full === true)
    const savedRuns = await SavedRuns.load({ state: state.runs, log: context.log }, api.changedRuns)
    for (const [done, job] of jobs.entries()) {
      context.signal.throwIfAborted()
      await context.progress?.(done, jobs.length)
      const id = job.integer('id')
      const runs = await savedRuns.find(String(id), async () => (await api.listRuns(id))?.map(readRun))
      if (!runs) continue
      const success = runs.find(({ status }) => status === SUCCESS)
      if (success) latest.push(success)
      const last = runs.find(({ status }) => status === SUCCESS || status === ERROR)
      if (last && last !== success) failed.push(last)
      items.push(...readJob(job, runs))
    }
    const download: DownloadOfRun = (run, names) => downloadArtifacts(api, run.id, names, context.log)
    const downloaded = new DownloadedRuns(state.downloads, latest)
    await saveResultsOfFailedRuns(ctx, source, failed, { downloaded, download })
    const artifacts = await saveLatestArtifacts(ctx, source, latest, { downloaded, download })
    if (artifacts === 0) throw new Error('No successful run of a job has a manifest.json yet.')
    await state.save(ctx, { runs: await savedRuns.toState(), downloads: downloaded.toState() })
    yield* items
    yield* discoverProject(ctx, toDbtSync(source, context))
  },

  finish: (source, context) => applyProjectToOthers(requireCatalogContext(context), toDbtSync(source, context)),
}

type DownloadOfRun = (run: JobRun, names: readonly string[]) => Promise<Map<string, Buffer>>

interface Downloading {
  readonly downloaded: DownloadedRuns
  readonly download: DownloadOfRun
}

/**
 * In the order in which the runs ended: the newest manifest counts, and results of the others for the nodes it did not run. Returns how many have artifacts.
 */
const saveLatestArtifacts = async (
  ctx: Context,
  source: Source,
  runs: readonly JobRun[],
  { downloaded, download }: Downloading,
): Promise<number> => {
  const inOrder = [...runs].sort((a, b) => (getEnd(a) < getEnd(b) ? -1 : 1))
  let count = 0
  let changed = false // what is newer counts, so that it is saved again
  for (const run of inOrder) {
    if (changed || !downloaded.has(run)) {
      const files = await download(run, ARTIFACT_FILES)
      if (files.size === 0) continue
      await saveArtifacts(ctx, source.id, files, await readProject(files, ctx.runtime.fileThreads))
      changed = true
    }
    downloaded.add(run, { isProject: true })
    count += 1
  }
  return count
}

/** What failed is in no successful run: a failed test or model of `dbt build` makes its run fail. Only its results count, not its manifest. */
const saveResultsOfFailedRuns = async (
  ctx: Context,
  source: Source,
  runs: readonly JobRun[],
  { downloaded, download }: Downloading,
): Promise<void> => {
  for (const run of runs) {
    if (!downloaded.has(run)) {
      const files = await download(run, ['manifest.json', RESULTS_FILE])
      if (!files.has(RESULTS_FILE)) continue
      await saveResults(ctx, source.id, await readProject(files, ctx.runtime.fileThreads))
    }
    downloaded.add(run, { isProject: false })
  }
}

/** Empty without a manifest. The results are those of all steps that run something; everything else is as the last step that wrote it left it. */
const downloadArtifacts = async (
  api: DbtCloudApi,
  id: string,
  names: readonly string[],
  log: DiscoveryContext['log'],
): Promise<Map<string, Buffer>> => {
  const files = new Map<string, Buffer>()
  const download: Download = async (name, steps, { as = name, maxBytes } = {}) => {
    for (const step of steps) {
      const bytes = await api.findArtifact(id, name, step, maxBytes)
      if (!bytes) continue
      files.set(as, await compress(bytes))
      return bytes.length
    }
    return undefined
  }
  const steps = readSteps(await api.listSteps(id))
  for (const name of names) {
    if (name !== RESULTS_FILE || !(await downloadResults(id, steps, download, log))) await download(name, findWriters(name, steps))
    if (files.size === 0) break // no manifest
  }
  return files
}

const MAX_RESULTS = 20 // of a run
const MAX_EARLIER_MB = 100 // of a run, as they are parsed together
const MAX_MANIFESTS = 3

/** Returns the size of what was found. */
type Download = (
  name: string,
  steps: readonly (number | undefined)[],
  options?: { readonly as?: string; readonly maxBytes?: number },
) => Promise<number | undefined>

/** The newest results are those of the artifacts, the others are read with them. False if no step is known to have any. */
const downloadResults = async (run: string, { results }: RunSteps, download: Download, log: DiscoveryContext['log']): Promise<boolean> => {
  let found = false
  let remaining = MAX_EARLIER_MB * 1024 * 1024
  for (const step of results.slice(-MAX_RESULTS).reverse()) {
    if (!found) {
      found = (await download(RESULTS_FILE, [step])) !== undefined
      continue
    }
    try {
      remaining -= (await download(RESULTS_FILE, [step], { as: nameEarlierResults(step), maxBytes: remaining })) ?? 0
    } catch (error) {
      if (!(error instanceof ArtifactError)) throw error
      await log(
        `Run ${run}: the results of step ${step} and of the steps before it were left out. Besides those of the last step, up to ${MAX_EARLIER_MB} MB are read.`,
      )
      break
    }
  }
  return found
}

/** Undefined is the last step, whose artifacts those of an earlier one may still be. */
const findWriters = (name: string, { results, catalog, sources }: RunSteps): (number | undefined)[] => {
  if (name === 'manifest.json') return [undefined, ...results.slice(-MAX_MANIFESTS).reverse()]
  const writer = { 'catalog.json': catalog, 'sources.json': sources }[name]
  return [undefined, ...(writer === undefined ? [] : [writer])]
}

const readJob = (job: Shape, runs: readonly JobRun[]): Item[] => {
  const key = `${GROUP}.${job.integer('id')}`
  const schedule = job.optionalObject('schedule')
  const message: ItemMessage = {
    type: 'item',
    key,
    parent: GROUP,
    entity_type: 'job',
    title: job.text('name').slice(0, 500) || '(no name)',
    description: job.optionalText('description') || null,
    native_type: 'dbt Cloud job',
    facts: {
      schedule: schedule?.optionalText('cron') ?? null,
      steps: job.optionalList('execute_steps').map(({ value }) => value),
      ...toLastRun(runs),
    },
  }
  const references = { users: new Map<string, string>(), tags: new Map<string, string>() }
  const isItem = (found: Discovered): found is ItemMessage => found.type === 'item'
  return [message, ...toRunItems(key, runs).filter(isItem)].map((each) => toItem(each, references))
}

const readRun = (run: Shape): JobRun => ({
  id: String(run.integer('id')),
  status: STATUSES[run.integer('status')] ?? String(run.integer('status')),
  started_at: toTime(run.optionalText('started_at')),
  ended_at: toTime(run.optionalText('finished_at')),
  url: run.optionalText('href'),
})
