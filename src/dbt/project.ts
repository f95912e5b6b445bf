/** What a dbt project is to a catalog: read once from its artifacts, of which most is of no use here. Pure. */
export interface Project {
  readonly name: string
  readonly dbt_version: string | null
  /** As `sql/text/dialects.ts` calls it. */
  readonly dialect: string
  readonly generated_at: string | null
  /** Whether there are results of a run among the artifacts: `docs generate` leaves some, too, and ran nothing. */
  readonly ran: boolean
  readonly tables: readonly DbtTable[]
  readonly uses: readonly DbtUse[]
  readonly tests: readonly DbtTest[]
  /** How each went that was run, and what SQL could be read: kept, since the next run may be of others, and compiles these alone. */
  readonly results: readonly NodeResult[]
  readonly readings: readonly SqlReading[]
  readonly compiled: readonly CompiledSql[]
  /** Models on whose SQL the engine failed with an error of its own. */
  readonly sql_defects: number
}

export interface DbtNode {
  readonly unique_id: string
  readonly name: string
  readonly description: string | null
  readonly tags: readonly string[]
  /** Addresses of people, as far as somebody wrote them down. */
  readonly owners: readonly string[]
  /** Unique IDs of what it is made from. */
  readonly depends_on: readonly string[]
  /** What it is made by, as it was written. */
  readonly raw: string | null
  readonly facts: Readonly<Record<string, unknown>>
}

export const TABLE_KINDS = ['model', 'seed', 'snapshot', 'source'] as const

export interface DbtTable extends DbtNode {
  readonly kind: (typeof TABLE_KINDS)[number]
  /** Database, schema and table, as far as they are given. Nothing: an ephemeral model, whose text stands in those that use it. */
  readonly relation: readonly string[] | null
  /** The same as SQL writes it. */
  readonly relation_name: string | null
  readonly columns: readonly DbtColumn[]
  /** Whether the warehouse told of the columns: then they are all there. */
  readonly cataloged: boolean
  readonly compiled: string | null
  /** The compiled SQL, or as good as that. */
  readonly sql: string | null
  readonly row_count: number | null
  readonly byte_size: number | null
}

export interface DbtColumn {
  readonly name: string
  readonly type: string | null
  /** By the constraints and the tests of the project, as dbt concludes from them. */
  readonly is_pk: boolean
  readonly description: string | null
  readonly tags: readonly string[]
}

/** What is made of tables and is none. */
export interface DbtUse extends DbtNode {
  readonly kind: 'exposure' | 'metric' | 'semantic model' | 'saved query' | 'function' | 'analysis'
  /** What an exposure is, as the project calls it. */
  readonly type: string | null
  readonly label: string | null
  readonly url: string | null
}

export interface DbtTest extends DbtNode {
  /** Of what it was tested, and which of its columns. */
  readonly tests: string | null
  readonly column: string | null
  readonly result: TestResult | null
}

/** How a test went the last time it was run. */
export interface TestResult {
  readonly status: string
  readonly failures: number | null
  readonly message: string | null
  readonly executed_at: string | null
  readonly execution_time: number | null
}

/** The same of anything that is run. */
export interface NodeResult extends TestResult {
  readonly unique_id: string
  readonly rows_affected: number | null
}

/** What the SQL of a table says of columns. */
export interface SqlReading {
  readonly unique_id: string
  /** A hash of what it was written as. */
  readonly written: string
  /** Whether the outputs are all of its columns: a star may hide some. */
  readonly whole: boolean
  readonly outputs: readonly string[]
  /** Where from, in small letters, and which column of it. */
  readonly reads: readonly (readonly [place: string, column: string])[]
}

/** SQL that only results hold: a manifest that was parsed anew has none. */
export interface CompiledSql {
  readonly unique_id: string
  /** A hash of what it was written as. */
  readonly written: string
  readonly sql: string
}

/** What is kept of earlier artifacts. */
export interface Kept {
  readonly results: readonly NodeResult[]
  readonly readings: readonly SqlReading[]
  /** Not in what was kept by earlier versions. */
  readonly compiled?: readonly CompiledSql[]
}

export interface Artifacts {
  readonly manifest: unknown
  readonly catalog?: unknown
  readonly run_results?: unknown
  readonly sources?: unknown
  /** As we wrote it down. */
  readonly kept?: Kept
}

/** An artifact that is none, in words people can act on. */
export class ArtifactError extends Error {
  readonly file: string

  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`)
    this.file = file
  }
}
