import { isObject } from '../../../connector/src/protocol.ts'
import { PRODUCT_VERSION } from '../../platform/config/product-version.ts'
import type { Context } from '../../platform/context/context.ts'
import type { JobRun } from '../connectors/orchestration/runs.ts'
import { findConnectorState, saveConnectorState } from '../connectors/programs/state-rows.ts'
import type { Source } from '../connectors/shared/connector.ts'
import { hashText } from '../sync/item.ts'

/** What a sync of dbt Cloud leaves for the next one, and for whom. */
export class CloudState {
  readonly #integration: string
  readonly #settingsHash: string
  readonly runs: unknown
  readonly downloads: unknown

  private constructor(integration: string, settingsHash: string, state: unknown) {
    this.#integration = integration
    this.#settingsHash = settingsHash
    this.runs = isObject(state) ? state.runs : undefined
    this.downloads = isObject(state) ? state.downloads : undefined
  }

  static async load({ db }: Context, { id, credentials }: Source, full: boolean): Promise<CloudState> {
    const { url, account_id, project_id } = credentials
    const settings_hash = hashText(JSON.stringify([PRODUCT_VERSION, url, account_id, project_id]))
    return new CloudState(id, settings_hash, full ? undefined : await findConnectorState(db, id, settings_hash))
  }

  save({ db }: Context, state: { readonly runs: unknown; readonly downloads: unknown }): Promise<void> {
    return saveConnectorState(db, this.#integration, this.#settingsHash, state)
  }
}

/** Runs whose artifacts were downloaded: those of a run that is over do not change. */
export class DownloadedRuns {
  readonly #before: ReadonlySet<string>
  readonly #current = new Set<string>()
  #until = ''

  /** None, if the newest of them is gone, e.g. with its job: its manifest is not that of the project any more. */
  constructor(state: unknown, latest: readonly JobRun[]) {
    const isSaved = isObject(state) && Array.isArray(state.runs) && latest.some((run) => getEnd(run) >= String(state.until))
    this.#before = new Set(isSaved ? (state.runs as unknown[]).map(String) : [])
  }

  has(run: JobRun): boolean {
    return this.#before.has(toKey(run))
  }

  /** `isProject`: the project is read from its manifest. */
  add(run: JobRun, { isProject }: { readonly isProject: boolean }): void {
    this.#current.add(toKey(run))
    if (isProject && getEnd(run) > this.#until) this.#until = getEnd(run)
  }

  toState(): unknown {
    return { runs: [...this.#current], until: this.#until }
  }
}

export const getEnd = ({ ended_at = '' }: JobRun): string => ended_at

const toKey = (run: JobRun): string => `${run.id} ${getEnd(run)}`
