/** How long tests wait for something to happen: longer than it takes on the slowest machine. Only a failing test waits this long. */
export const PATIENCE_MS = 240_000
