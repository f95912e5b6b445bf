import { isObject } from '../../../connector/src/protocol.ts'
import type { Shape } from '../../../connector/src/shape.ts'
import { PRODUCT_VERSION } from '../../platform/config/product-version.ts'
import type { Context } from '../../platform/context/context.ts'
import { toTime } from '../connectors/orchestration/runs.ts'
import { findConnectorState, saveConnectorState } from '../connectors/programs/state-rows.ts'
import type { Source } from '../connectors/shared/connector.ts'
import { hashText } from '../sync/item.ts'

/** Runs of dbt Cloud whose artifacts were downloaded: those of a run that is over do not change. */
export class SavedRuns {
  readonly #integration: string
  readonly #settingsHash: string
  readonly #before: ReadonlySet<string>
  readonly #current = new Set<string>()
  #until = ''

  private constructor(integration: string, settingsHash: string, before: ReadonlySet<string>) {
    this.#integration = integration
    this.#settingsHash = settingsHash
    this.#before = before
  }

  /** None, if the newest of them is gone, e.g. with its job: its manifest is not that of the project any more. */
  static async load({ db }: Context, { id, credentials }: Source, latest: readonly Shape[], full: boolean): Promise<SavedRuns> {
    const { url, account_id, project_id } = credentials
    const settings_hash = hashText(JSON.stringify([PRODUCT_VERSION, url, account_id, project_id]))
    const state = full ? undefined : await findConnectorState(db, id, settings_hash)
    const isSaved = isObject(state) && Array.isArray(state.runs) && latest.some((run) => getEnd(run) >= String(state.until))
    return new SavedRuns(id, settings_hash, new Set(isSaved ? (state.runs as unknown[]).map(String) : []))
  }

  has(run: Shape): boolean {
    return this.#before.has(toKey(run))
  }

  /** `isProject`: the project is read from its manifest. */
  add(run: Shape, { isProject }: { readonly isProject: boolean }): void {
    this.#current.add(toKey(run))
    if (isProject && getEnd(run) > this.#until) this.#until = getEnd(run)
  }

  save({ db }: Context): Promise<void> {
    return saveConnectorState(db, this.#integration, this.#settingsHash, { runs: [...this.#current], until: this.#until })
  }
}

export const getEnd = (run: Shape): string => toTime(run.optionalText('finished_at')) ?? ''

/** A run that is retried has the same ID. */
const toKey = (run: Shape): string => `${run.integer('id')} ${getEnd(run)}`
