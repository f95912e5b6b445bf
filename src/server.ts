import { bootstrap } from './access/bootstrap.ts'
import { makeApp } from './app.ts'
import { readConfig } from './config.ts'
import { connect } from './db/connect.ts'
import { migrate, readMigrations } from './db/migrate.ts'
import { Memory } from './memory.ts'

const config = readConfig(process.env, process.argv.slice(2))
const database = connect(config.databaseUrl!, { poolSize: config.poolSize, statementTimeoutMs: config.requestTimeoutMs })
await migrate(database.db, await readMigrations())
const { workspace_id, token } = await bootstrap(database.db, config.adminToken, new Date())
const app = await makeApp({ database, memory: new Memory(), workspace_id, config })
const address = await app.listen({ host: config.host, port: config.port })
console.log(address, token)
