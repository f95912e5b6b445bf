import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findMissingPrograms } from './debian.ts'
import { type ServerProcess, startServer } from './process.ts'

/** Why Kafka is not available here, or undefined. */
export const skipWithoutKafka = await findMissingPrograms({ programs: ['kcat'], packages: ['kcat'] })

/** A broker that speaks the real protocol: the one librdkafka tests itself with. It has no configurations and consumer groups. */
let running: Promise<ServerProcess> | undefined
const getServer = (): Promise<ServerProcess> =>
  (running ??= startServer('kafka', {
    prepare: async () => ['kcat', '-C', '-b', 'x', '-X', 'test.mock.num.brokers=1', '-t', 'seed', '-d', 'mock'],
    isReady: findAddress,
  }))

const findAddress = async (folder: string): Promise<string> => {
  const address = /bootstrap\.servers=(127\.0\.0\.1:\d+)/.exec(await readFile(join(folder, 'log'), 'utf8'))?.[1]
  if (!address) throw new Error('It has not reported its address.')
  return address
}

export const getKafkaBroker = async (): Promise<string> => findAddress((await getServer()).folder)

/** Creates the topic if necessary. */
export const produce = async (topic: string, ...messages: readonly string[]): Promise<void> => {
  const child = spawn('kcat', ['-P', '-b', await getKafkaBroker(), '-t', topic], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin!.end(messages.map((message) => `${message}\n`).join(''))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`kcat failed with exit code ${code}.`)
}
