const TERMINAL_INTERVAL_MS = 200
const LOG_INTERVAL_MS = 10_000

/** Prints progress: one updating line on a terminal, an occasional line in a log. */
export const createProgressLine = (out: NodeJS.WriteStream = process.stderr) => {
  const every = out.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS
  let last = performance.now() - (out.isTTY ? every : 0)
  let shown = false
  return {
    show: (line: () => string) => {
      if (performance.now() - last < every) return
      last = performance.now()
      shown = true
      out.write(out.isTTY ? `\r\u001b[K${line()}` : `${line()}\n`)
    },
    clear: () => {
      if (shown && out.isTTY) out.write('\r\u001b[K')
    },
  }
}

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
