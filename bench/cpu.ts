import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds a process has used. On a shared machine it says more than wall time. Linux only. */
export const cpuOf = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
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
