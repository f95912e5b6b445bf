import { findResourcesByTitle } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

/** A synced shop whose `hr.salaries` belong to a closed team, and whose schema `attic` is not synced. `member` is in the team, `editor` is not. */
export const createRestrictedShop = async (statements: readonly string[]) => {
  const app = await createTestApp()
  const source = await createPostgresSource(...statements)
  const integration = await createTestIntegration(app, 'postgres', { ...source.credentials, exclude: 'attic.*' })
  await runSync(app, integration)
  const of = await findResourcesByTitle(app)
  const team = await app.createTeam(true)
  await app.call('PATCH', `/resource/all/${of('hr.salaries')}`, { body: { teams: [team] } })
  const editor = await app.createUser('editor')
  const member = await app.createUser('editor', { teams: [team] })
  return {
    app,
    source,
    integration,
    of,
    team,
    editor,
    member,
    [Symbol.asyncDispose]: async () => {
      await source[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}
