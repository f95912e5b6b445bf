import { isObject } from '../../../../connector/src/protocol.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { toVersion } from '../bi/versions.ts'
import type { StoredTable } from '../stores/tables.ts'
import { parseAction, readCheckpoint } from './delta-checkpoint.ts'
import { type DeltaLog, findLog, LOG_FOLDER } from './delta-log.ts'
import { DeltaReplay } from './delta-replay.ts'
import { readDeltaFields } from './delta-schema.ts'
import type { OpenTable } from './open-table.ts'
import { toProperties } from './properties.ts'
import { joinPath, readLines, type Storage, type StoredFile, TableError } from './storage.ts'

type DeltaTable = Omit<StoredTable, 'title' | 'parent'>

/** Undefined if the table does not exist any more. What its log consists of is its version: a commit never changes. */
export const openDeltaTable = async (storage: Storage, table: string, log: (line: string) => unknown): Promise<OpenTable | undefined> => {
  const found = await findLog(storage, table)
  if (!found) return undefined
  const describeFile = ({ name, size, modified }: StoredFile) => [name, size, modified ?? null]
  const version = toVersion('delta', found.checkpoint.map(describeFile), found.commits.map(describeFile))
  return { version, read: () => readDeltaTable(storage, table, found, log) }
}

const readDeltaTable = async (storage: Storage, table: string, found: DeltaLog, log: (line: string) => unknown): Promise<DeltaTable> => {
  const replay = await replayLog(storage, table, found)
  if (replay.isUncounted) await log(`${storage.locate(table)}: too many files changed since the last checkpoint to count rows and bytes.`)
  const { metadata, protocol } = replay
  const partitions = metadata
    .optionalList('partitionColumns')
    .map((each) => (typeof each.value === 'string' ? each.value : each.fail('text')))
  return {
    native_type: 'delta table',
    description: metadata.optionalText('description') ?? '',
    fields: readDeltaFields(parseSchema(metadata, table), partitions),
    updated_at: replay.changedAt ?? (found.last ?? found.checkpoint[0])?.modified,
    row_count: replay.rows,
    byte_size: replay.bytes,
    facts: {
      location: storage.locate(table),
      name: metadata.optionalText('name'),
      partitioned_by: partitions,
      reader_version: protocol.integer('minReaderVersion'),
      writer_version: protocol.integer('minWriterVersion'),
      features: listFeatures(protocol),
      properties: toProperties(metadata.optionalObject('configuration')),
    },
  }
}

const replayLog = async (storage: Storage, table: string, { commits, checkpoint, last }: DeltaLog): Promise<DeltaReplay> => {
  const replay = new DeltaReplay()
  const folder = joinPath(table, LOG_FOLDER)
  const readCommit = async (file: StoredFile, take: (action: unknown, path: string) => void) => {
    const path = joinPath(folder, file.name)
    for await (const line of readLines(storage, path, file.size)) take(parseAction(line, path), path)
  }
  for (const [i, file] of commits.entries())
    await readCommit(file, (action, path) => {
      if (i === 0) replay.takeCommitInfo(action)
      replay.take(action, path)
    })
  if (commits.length === 0 && last) await readCommit(last, (action) => replay.takeCommitInfo(action))
  for (const file of checkpoint) {
    const sidecars: StoredFile[] = []
    for await (const action of readCheckpoint(storage, folder, file)) {
      if (isObject(action) && isObject(action.sidecar)) sidecars.push(toSidecar(new Shape(action.sidecar, file.name, 'sidecar')))
      replay.take(action, joinPath(folder, file.name), true)
    }
    for (const sidecar of sidecars)
      for await (const action of readCheckpoint(storage, joinPath(folder, '_sidecars'), sidecar)) replay.take(action, sidecar.name, true)
  }
  return replay
}

/** Sidecars are in one folder, whatever the path before their name. */
const toSidecar = (sidecar: Shape): StoredFile => {
  const path = sidecar.text('path')
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!/^[\w.-]+\.parquet$/.test(name)) throw new TableError('The name of a sidecar of the checkpoint is not that of a Parquet file.')
  return { name, size: sidecar.integer('sizeInBytes') }
}

const parseSchema = (metadata: Shape, table: string): Shape => {
  try {
    return new Shape(JSON.parse(metadata.text('schemaString')), `${joinPath(table, LOG_FOLDER)}: metaData.schemaString`)
  } catch (error) {
    if (error instanceof SyntaxError) return metadata.at('schemaString').fail('JSON')
    throw error
  }
}

const listFeatures = (protocol: Shape): string[] => {
  const all = ['readerFeatures', 'writerFeatures'].flatMap((name) => protocol.optionalList(name).map(({ value }) => String(value)))
  return [...new Set(all)].sort()
}
