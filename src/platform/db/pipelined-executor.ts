import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DialectAdapter,
  type QueryCompiler,
  SingleConnectionProvider,
} from 'kysely'

/**
 * Runs the concurrent statements of a transaction concurrently: the driver sends them without waiting for the answers of those before. Kysely itself
 * hands a statement to the driver only when the one before has been answered.
 */
export class PipelinedExecutor extends DefaultQueryExecutor {
  readonly #compiler: QueryCompiler
  readonly #adapter: DialectAdapter

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, provider: ConnectionProvider) {
    super(compiler, adapter, provider)
    this.#compiler = compiler
    this.#adapter = adapter
  }

  override withConnectionProvider(provider: ConnectionProvider): PipelinedExecutor {
    const shared = provider instanceof SingleConnectionProvider ? new SharedConnectionProvider(provider) : provider
    return new PipelinedExecutor(this.#compiler, this.#adapter, shared)
  }
}

/** Gives the one connection of a transaction to any number of statements at once. */
class SharedConnectionProvider implements ConnectionProvider {
  readonly #connection: Promise<DatabaseConnection>

  constructor(provider: SingleConnectionProvider) {
    this.#connection = provider.provideConnection(async (connection) => connection)
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return consumer(await this.#connection)
  }
}
