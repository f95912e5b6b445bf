import { openBenchEnvironment } from './environment.ts'
import { table } from './table.ts'

/** Loads a whole catalog with the product's bulk function, including history and search, compared with a bare copy of the finished rows. */
export const benchLoad = async (): Promise<string> => {
  await using environment = await openBenchEnvironment({ fresh: true })
  const { seconds, resources, cpuSeconds } = environment.loaded!
  const bare = await environment.copyBare()
  return table(
    `Loading ${resources.toLocaleString('en')} resources with history and search`,
    ['', 'seconds', 'resources/s', 'CPU seconds, Node and Postgres'],
    [
      ['createResources, 2 writers, batches of 2,000', seconds, resources / seconds, cpuSeconds],
      ['insert … select of the finished rows into a bare table', bare, resources / bare, ''],
    ],
  )
}

if (import.meta.main) console.log(await benchLoad())
