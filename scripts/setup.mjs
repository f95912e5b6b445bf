// What `npm start`, `npm test` and `npm run bench` need on a fresh clone: installs what is missing, then runs the given
// file on the Node 24 that came with it. Plain JavaScript and no imports of ours: any Node from 20 on must be able to run it.
import { spawn } from 'node:child_process'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const LOCK = join(root, '.installing')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const BUILD_WEB = 'scripts/build-web.mjs'
const SHOWS_PAGES = ['src/server.ts', 'scripts/test.ts']

/** Something a person can mend; needs no stack. */
class Stop extends Error {}

const main = async (entry, args) => {
  if (!entry) throw new Stop('Usage: node scripts/setup.mjs <file> [arguments]')
  if (!installed()) await install()
  const node = findNode()
  // What was read and compiled once is not again: half of a start. Whoever sets this to something else has that.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')
  if (SHOWS_PAGES.includes(entry) && existsSync(join(root, BUILD_WEB))) await buildWeb(node)
  // Where Node can become another program it does: one process less, and nothing between the server and its signals.
  if (process.execve) process.execve(node, ['node', join(root, entry), ...args], process.env)
  const child = spawn(node, ['--import', endWithUs, join(root, entry), ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  endLike(await ended(child))
}

// Even kill -9 closes our channel to the child, which then asks itself to stop.
const endWithUs = `data:text/javascript,${encodeURIComponent(`
  if (process.ppid === ${process.pid} && process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel.unref()
  }`)}`

/** npm writes down what it installed when it is done. Is that what the lock file wants? */
const installed = () => {
  const want = read('package-lock.json').packages
  const have = read('node_modules/.package-lock.json')?.packages
  if (!have) return false
  const same = (a, b) => (a && b ? a.version === b.version && a.integrity === b.integrity : (a ?? b).optional)
  return Object.keys({ ...want, ...have }).every((path) => path === '' || same(want[path], have[path]))
}

const read = (file) => (existsSync(join(root, file)) ? JSON.parse(readFileSync(join(root, file), 'utf8')) : undefined)

const install = async () => {
  await takeLock()
  try {
    if (installed()) return // somebody else just did it
    console.log('Installing dependencies (first time or the lock file changed)…')
    let npm = await runNpm('ci')
    // npm refuses a lock file that lacks optional packages for other machines, as one does that was made where the registry had none.
    if (npm.output.includes('EUSAGE')) npm = await runNpm('install', '--no-save')
    if (npm.code !== 0)
      throw new Stop(`${npm.output}\nnpm did not install the dependencies (${npm.signal ?? `code ${npm.code}`}); its words are above.`)
  } finally {
    rmSync(LOCK, { force: true })
  }
}

const runNpm = async (...args) => {
  // Whatever the machine's npm settings: the optional packages are Node and Postgres, and the tests need the others.
  const settings = ['--include=optional', '--include=dev', '--engine-strict=false', '--no-audit', '--no-fund']
  const npm = spawn('npm', [...args, ...settings], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
  writeFileSync(LOCK, `${process.pid} ${npm.pid}`)
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  return { ...(await ended(npm)), output }
}

/** One install at a time. The lock names its holder and the holder's npm; when both are dead, it is free. */
const takeLock = async () => {
  const mine = `${LOCK}-${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    for (let waited = 0; ; waited++) {
      try {
        linkSync(mine, LOCK) // one step, with its content, and refused when there is one
        // A second process that found the same dead holder may take our lock for that one's; whoever is named now has it.
        await sleep(100)
        if (holders()[0] === process.pid) return
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      if (!holders().some(alive)) rmSync(LOCK, { force: true })
      else if (waited === 0) console.log('Waiting for another install in this folder…')
      await sleep(200)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

const holders = () => (existsSync(LOCK) ? readFileSync(LOCK, 'utf8').split(' ').map(Number) : [])

const alive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The pages are made from their sources, on the Node that runs the server; a build that is still good takes no time. */
const buildWeb = async (node) => {
  const { code, signal } = await ended(spawn(node, [join(root, BUILD_WEB)], { stdio: ['ignore', 'inherit', 'inherit'] }))
  if (code !== 0) throw new Stop(`The web app could not be built (${signal ?? `code ${code}`}); the reason is above.`)
}

const findNode = () => {
  const brought = join(root, 'node_modules/.bin/node')
  if (existsSync(brought)) return brought
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Stop(
    `Tablinum runs on Node 24 or newer. For this machine (${process.platform}-${process.arch}) please install it; this is Node ${process.versions.node}.`,
  )
}

/** Waits for the child and passes on what is sent to us. */
const ended = (child) =>
  new Promise((done, refuse) => {
    const passed = {}
    const pass = (signal) => {
      // A terminal sends Ctrl-C and its own closing to the child as well, and npm repeats to us what we already had.
      if (signal !== 'SIGTERM' && isatty(0)) return
      if (Date.now() - (passed[signal] ?? 0) < 500) return
      passed[signal] = Date.now()
      child.kill(signal)
    }
    for (const signal of SIGNALS) process.on(signal, pass)
    child.once('error', (error) => refuse(new Stop(`${error.message}. Is it installed, and for this machine?`)))
    child.once('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, pass)
      done({ code, signal })
    })
  })

const endLike = ({ code, signal }) => {
  if (!signal) process.exit(code)
  process.exitCode = 128 + constants.signals[signal] // for the first process of a container, which no signal ends
  process.kill(process.pid, signal)
}

await main(process.argv[2], process.argv.slice(3)).catch((error) => {
  console.error(error instanceof Stop ? error.message : error)
  process.exitCode = 1
})
