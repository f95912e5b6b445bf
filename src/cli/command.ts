/** One thing the command line can do. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** What `--help` prints. */
  readonly help: string
  /** Answers with the exit code: 0 done, 1 done but not everything could be, 2 asked for in a way that makes no sense. */
  readonly run: (args: readonly string[]) => Promise<number>
}

/** Something the person at the keyboard can mend; needs no stack. */
export class CliError extends Error {}
