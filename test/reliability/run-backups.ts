import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../../src/platform/db/connect.ts'
import { findHalfDone } from '../faults/consistency.ts'
import { startTestServer } from '../faults/server.ts'
import { WriteLoad } from '../faults/write-load.ts'
import { dumpContent, dumpSchema, runCli } from '../operations/backup-content.ts'
import { databaseAt } from '../support/database.ts'
import { runOn } from './fault-site.ts'
import { endsBefore } from './interrupt.ts'
import { printProgress, type Row } from './report.ts'

interface Place {
  readonly url: string
  file(name: string): string
}

interface Tally {
  tried: number
  /** Ended before it could be killed, or was not damaged by the change. */
  completed: number
  /** Killed when the file had its name and could be restored. */
  named: number
  wrong: string[]
}

/** Between the writes of each writer: without a pause the database grows so much that each round takes longer than the one before. */
const WRITE_PAUSE_MS = 250

const newTally = (): Tally => ({ tried: 0, completed: 0, named: 0, wrong: [] })

interface BackupResult {
  /** Rounds. */
  readonly complete: number
  readonly rows: Row[]
  readonly wrong: string[]
}

/**
 * Each round: a backup under writes that is restored, a backup that is killed, a restore that is killed, and a damaged file. What an interrupt
 * leaves half done is not in the table.
 */
export const runBackups = async (place: Place, rounds: number, writers: number, interrupt?: AbortSignal): Promise<BackupResult> => {
  const tallies = { backup: newTally(), 'backup killed': newTally(), 'restore killed': newTally(), 'file damaged': newTally() }
  await runOn(place.url, 'create database backed_up', 'create database restored')
  const [source, target] = [databaseAt(place.url, 'backed_up'), databaseAt(place.url, 'restored')]
  const load = new WriteLoad('', { pauseMs: WRITE_PAUSE_MS })
  const server = await startTestServer({ DATABASE_URL: source })
  // Only while backups are made: otherwise the database grows with the time that everything else takes.
  const whileWriting = async <T>(work: () => Promise<T>): Promise<T> => {
    const stopping = new AbortController()
    const writing = load.writeTo(server, writers, stopping.signal)
    return work().finally(() => {
      stopping.abort()
      return writing
    })
  }
  const record = async <T>(what: keyof typeof tallies, step: (tally: Tally) => Promise<T>): Promise<T> => {
    const one = newTally()
    const result = await step(one)
    if (interrupt?.aborted) return result // it may have failed because everything ends
    tallies[what].tried += 1
    tallies[what].completed += one.completed
    tallies[what].named += one.named
    tallies[what].wrong.push(...one.wrong)
    return result
  }
  const runRound = async (round: number) => {
    const file = place.file(`backup${round}`)
    const ms = await record('backup', (tally) => backUpAndRestore(tally, load, source, target, file, whileWriting))
    const content = JSON.stringify(await dumpContent(target))
    await record('backup killed', (tally) => killBackup(tally, source, target, place.file(`killed${round}`), ms.backup, whileWriting))
    await record('restore killed', (tally) => killRestore(tally, target, file, ms.restore, content))
    await record('file damaged', (tally) => restoreDamaged(tally, target, file, content, round))
    await rm(file)
  }
  let complete = 0
  try {
    while (complete < rounds && (await endsBefore(interrupt, runRound(complete)))) {
      complete += 1
      printProgress(complete - 1, complete, rounds)
    }
  } finally {
    await server[Symbol.asyncDispose]()
  }
  const wrong = Object.entries(tallies).flatMap(([what, tally]) => tally.wrong.map((each) => `${what}: ${each}`))
  const rows = Object.entries(tallies).map(([what, { tried, completed, named, wrong }]) => ({
    what,
    times: tried,
    completed,
    'killed when it was complete': what.endsWith('killed') ? named : '',
    'left nothing behind': what === 'backup' ? '' : tried - completed - named - wrong.length,
    wrong: wrong.length,
  }))
  return { complete, rows, wrong }
}

type WhileWriting = <T>(work: () => Promise<T>) => Promise<T>

const backUpAndRestore = async (
  tally: Tally,
  load: WriteLoad,
  source: string,
  target: string,
  file: string,
  whileWriting: WhileWriting,
) => {
  const { acknowledged, made, backup } = await whileWriting(async () => {
    for (const before = load.acknowledged; load.acknowledged < before + 20; ) await sleep(10)
    const acknowledged = load.ids
    const began = performance.now()
    const made = await runCli(['backup', file], { DATABASE_URL: source }).ended
    return { acknowledged, made, backup: performance.now() - began }
  })
  await empty(target)
  const began = performance.now()
  const restored = made.code === 0 ? await runCli(['restore', file], { DATABASE_URL: target }).ended : made
  const restore = performance.now() - began
  if (restored.code !== 0) {
    tally.wrong.push(restored.output)
    return { backup, restore }
  }
  tally.completed += 1
  await withDb(target, async (db) => {
    const { rows } = await sql<{ id: string }>`select id from resources`.execute(db)
    const found = new Set(rows.map(({ id }) => id))
    const lost = acknowledged.filter((id) => !found.has(id))
    if (lost.length > 0) tally.wrong.push(`${lost.length} of ${acknowledged.length} acknowledged resources are missing`)
    tally.wrong.push(...(await findHalfDone(db, load)))
  })
  return { backup, restore }
}

/**
 * A killed backup leaves no file under its name, unless it was killed after it was complete and before its process had ended: then the file can be
 * restored. What it had written so far is in a file with another name.
 */
const killBackup = async (
  tally: Tally,
  source: string,
  target: string,
  file: string,
  usualMs: number,
  whileWriting: WhileWriting,
): Promise<void> => {
  const { code } = await whileWriting(() => killDuring(runCli(['backup', file], { DATABASE_URL: source }), usualMs))
  if (code === 0 || existsSync(file)) {
    await empty(target)
    const restored = await runCli(['restore', file], { DATABASE_URL: target }).ended
    if (restored.code !== 0) tally.wrong.push(`it left a file that cannot be restored: ${restored.output}`)
    else if (code === 0) tally.completed += 1
    else tally.named += 1
  }
  for (const each of [file, `${file}.part`]) await rm(each, { force: true })
}

/**
 * A killed restore leaves an empty database, and the next one succeeds; or everything, if it was killed after its transaction was committed and before
 * its process had ended.
 */
const killRestore = async (tally: Tally, target: string, file: string, usualMs: number, content: string): Promise<void> => {
  await empty(target)
  const { code } = await killDuring(runCli(['restore', file], { DATABASE_URL: target }), usualMs)
  await waitForSessions(target)
  if (code === 0) tally.completed += 1
  else if ((await dumpSchema(target)).length > 0) tally.named += 1
  else {
    const again = await runCli(['restore', file], { DATABASE_URL: target }).ended
    if (again.code !== 0) tally.wrong.push(`the next restore: ${again.output}`)
  }
  if (JSON.stringify(await dumpContent(target)) !== content) tally.wrong.push('the content differs')
}

/** One byte is changed, or the end is missing: rejected before anything is written. Some bytes of the format have no meaning. */
const restoreDamaged = async (tally: Tally, target: string, file: string, content: string, round: number): Promise<void> => {
  await empty(target)
  const bytes = await readFile(file)
  const at = Math.floor(Math.random() * bytes.length)
  const cut = round % 2 === 0
  if (!cut) bytes[at]! ^= 1 << Math.floor(Math.random() * 8)
  const damaged = `${file}-damaged`
  await writeFile(damaged, cut ? bytes.subarray(0, at) : bytes)
  const { code } = await runCli(['restore', damaged], { DATABASE_URL: target }).ended
  await rm(damaged)
  if (code !== 0) {
    if ((await dumpSchema(target)).length > 0) tally.wrong.push(`byte ${at}: something is in the database`)
    return
  }
  tally.completed += 1
  if (JSON.stringify(await dumpContent(target)) !== content) tally.wrong.push(`byte ${at}: other content was restored`)
}

/** At any point of the time it usually takes. */
const killDuring = async ({ ended, kill }: ReturnType<typeof runCli>, usualMs: number) => {
  await Promise.race([sleep(Math.random() * usualMs), ended])
  kill()
  return ended
}

/** Postgres notices a killed client when it next sends something to it. */
const waitForSessions = (url: string): Promise<void> =>
  withDb(url, async (db) => {
    for (;;) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'tablinum restore'`.execute(db)
      if (rows.length === 0) return
      await sleep(50)
    }
  })

const empty = async (url: string): Promise<void> => {
  const admin = databaseAt(url, 'postgres')
  const name = new URL(url).pathname.slice(1)
  await runOn(admin, `drop database ${name} with (force)`, `create database ${name}`)
}

const withDb = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const database = connect(url, { poolSize: 1 })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}
