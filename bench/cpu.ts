import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds a process has used. More reliable than wall time on a shared machine. Linux only. */
export const cpuOf = (pid: number): number => {
  const fields = statOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** CPU seconds of a process and its child processes. */
export const cpuOfFamily = (pid: number): number =>
  readdirSync('/proc')
    .filter((other) => /^\d+$/.test(other) && (Number(other) === pid || statOf(other)[1] === String(pid)))
    .reduce((sum, other) => sum + cpuOf(Number(other)), 0)

const statOf = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return []
  }
}

/** CPU seconds of all Postgres processes that serve this database. */
export const cpuOfDatabase = (name: string): number =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(` ${name} `))
    .reduce((sum, pid) => sum + cpuOf(Number(pid)), 0)

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
