/** A subcommand of the command line. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** What `--help` prints. */
  readonly help: string
  /** Returns the exit code: 0 success, 1 failed or only partly done, 2 invalid usage. */
  readonly run: (args: readonly string[]) => Promise<number>
}

/** An error the user can fix; printed without a stack trace. */
export class CliError extends Error {
  /** Of a server's response. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
