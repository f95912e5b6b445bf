import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** CPU seconds a process has used. More reliable than wall time on a shared machine. Linux only. */
export const measureCpu = (pid: number): number => {
  const fields = readStat(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** CPU seconds of a process and its child processes. */
export const measureFamilyCpu = (pid: number): number =>
  readdirSync('/proc')
    .filter((other) => /^\d+$/.test(other) && (Number(other) === pid || readStat(other)[1] === String(pid)))
    .reduce((sum, other) => sum + measureCpu(Number(other)), 0)

const readStat = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return []
  }
}

/** CPU seconds of a Postgres server: of its processes, and of those that ended, such as parallel workers. Without other databases, of one database. */
export const measurePostgresCpu = (dataFolder: string): number => {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const fields = readStat(postmaster)
  return measureFamilyCpu(postmaster) + (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100
}

/** CPU seconds of a process to the nanosecond instead of a hundredth of a second, for short measurements. Without threads that have ended. */
export const measureThreadsCpu = (pid: number | string): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9,
      0,
    )
  } catch {
    return 0
  }
}

/** CPU seconds of all Postgres processes that serve this database. */
export const measureDatabaseCpu = (name: string): number =>
  findDatabaseProcesses(name).reduce((sum, pid) => sum + measureCpu(Number(pid)), 0)

/** The Postgres processes that serve this database. */
export const findDatabaseProcesses = (name: string): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && readCommand(pid).includes(` ${name} `))

const readCommand = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
