/** A dbt project as the catalog needs it, parsed from its artifacts, most of which is not used. Pure. */
export interface Project {
  readonly name: string
  readonly dbt_version: string | null
  /** The name in `sql/text/dialects.ts`. */
  readonly dialect: string
  readonly generated_at: string | null
  /** Whether the artifacts include the results of a run: `docs generate` writes results too, without running anything. */
  readonly ran: boolean
  readonly tables: readonly DbtTable[]
  readonly uses: readonly DbtConsumer[]
  readonly tests: readonly DbtTest[]
  /** Results of each node that ran, and what was parsed from its SQL. Retained, because the next run may cover and compile other nodes only. */
  readonly results: readonly NodeResult[]
  readonly readings: readonly SqlReading[]
  readonly compiled: readonly CompiledSql[]
  /** The last runs of each model, seed and snapshot, retained as well. */
  readonly runs: readonly NodeRun[]
  /** Models on whose SQL the parser failed with an internal error. */
  readonly sql_defects: number
}

export interface DbtNode {
  readonly unique_id: string
  readonly name: string
  readonly description: string | null
  readonly tags: readonly string[]
  /** E-mail addresses, where declared. */
  readonly owners: readonly string[]
  /** Unique IDs of its upstream nodes. */
  readonly depends_on: readonly string[]
  /** Its source code. */
  readonly raw: string | null
  readonly facts: Readonly<Record<string, unknown>>
}

export const TABLE_KINDS = ['model', 'seed', 'snapshot', 'source'] as const

export interface DbtTable extends DbtNode {
  readonly kind: (typeof TABLE_KINDS)[number]
  /** Database, schema and table, as far as known. Null: an ephemeral model, whose SQL is inlined into the models that use it. */
  readonly relation: readonly string[] | null
  /** The same as written in SQL. */
  readonly relation_name: string | null
  readonly columns: readonly DbtColumn[]
  /** Whether the columns come from the warehouse, so that they are complete. */
  readonly cataloged: boolean
  readonly compiled: string | null
  /** The compiled SQL, or an equivalent rendered from the source code. */
  readonly sql: string | null
  readonly row_count: number | null
  readonly byte_size: number | null
}

export interface DbtColumn {
  readonly name: string
  readonly type: string | null
  /** Derived by dbt from the constraints and tests of the project. */
  readonly is_pk: boolean
  readonly description: string | null
  readonly tags: readonly string[]
}

/** Something built on tables that is not a table itself. */
export interface DbtConsumer extends DbtNode {
  readonly kind: 'exposure' | 'metric' | 'semantic model' | 'saved query' | 'function' | 'analysis'
  /** The type of an exposure, as declared in the project. */
  readonly type: string | null
  readonly label: string | null
  readonly url: string | null
}

export interface DbtTest extends DbtNode {
  /** The tested node, and the tested column. */
  readonly tests: string | null
  readonly column: string | null
  readonly result: TestResult | null
}

/** The last result of a test. */
export interface TestResult {
  readonly status: string
  readonly failures: number | null
  readonly message: string | null
  readonly executed_at: string | null
  readonly execution_time: number | null
}

/** The same for any node that runs. */
export interface NodeResult extends TestResult {
  readonly unique_id: string
  readonly rows_affected: number | null
}

/** One run of a model, seed or snapshot. Times are in UTC. */
export interface NodeRun {
  readonly unique_id: string
  /** Of the invocation of dbt: the same for all nodes of one command. */
  readonly id: string
  readonly status: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly rows_affected: number | null
  readonly message: string | null
  /** E.g. `build`. */
  readonly command: string | null
}

/** What the SQL of a table reveals about columns. */
export interface SqlReading {
  readonly unique_id: string
  /** Hash of its source code. */
  readonly written: string
  /** Whether the outputs are all of its columns: a star may hide some. */
  readonly whole: boolean
  readonly outputs: readonly string[]
  /** The table read from, in lower case, and its column. */
  readonly reads: readonly (readonly [place: string, column: string])[]
}

/** SQL found only in run results: a freshly parsed manifest has none. */
export interface CompiledSql {
  readonly unique_id: string
  /** Hash of its source code. */
  readonly written: string
  readonly sql: string
}

/** What is retained of earlier artifacts. */
export interface RetainedArtifacts {
  readonly results: readonly NodeResult[]
  readonly readings: readonly SqlReading[]
  /** Missing in data retained by earlier versions. */
  readonly compiled?: readonly CompiledSql[]
  /** The same. */
  readonly runs?: readonly NodeRun[]
}

export interface Artifacts {
  readonly manifest: unknown
  readonly catalog?: unknown
  readonly run_results?: unknown
  /** Of the commands before the last one, the oldest first. */
  readonly earlier_results?: readonly unknown[]
  readonly sources?: unknown
  /** As stored by us. */
  readonly kept?: RetainedArtifacts
}

/** An invalid artifact, with a message users can act on. */
export class ArtifactError extends Error {
  readonly file: string

  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`)
    this.file = file
  }
}
