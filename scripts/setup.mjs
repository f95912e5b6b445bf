// Prepares a fresh clone for `npm start`, `npm test` and `npm run bench`: installs missing dependencies, then runs the given
// file on the bundled Node 24. Plain JavaScript without imports of our code, so that any Node from 20 on can run it.
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
const CLI = 'src/cli.ts'
/** These run without the packages that only tests and tools need, and without the drivers of single sources. */
const PRODUCT = ['src/server.ts', CLI]

/** An error the user can fix; printed without a stack trace. */
class Stop extends Error {}

const main = async (entry, args) => {
  if (!entry) throw new Stop('Usage: node scripts/setup.mjs <file> [arguments]')
  const omitDev = PRODUCT.includes(entry) && !hasDevPackages()
  if (!installed(omitDev)) await install(omitDev)
  const node = findNode()
  // The compile cache halves the start time. An existing setting is kept.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')
  if (showsPages(entry, args) && existsSync(join(root, BUILD_WEB)) && !(await isWebBuilt())) await buildWeb(node)
  // Replace this process where Node supports it: one process less, and the server receives signals directly.
  if (process.execve) process.execve(node, ['node', join(root, entry), ...args], process.env)
  const child = spawn(node, ['--import', endWithUs, join(root, entry), ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  endLike(await ended(child))
}

// Even kill -9 closes our channel to the child, which then stops itself.
const endWithUs = `data:text/javascript,${encodeURIComponent(`
  if (process.ppid === ${process.pid} && process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel.unref()
  }`)}`

/** The server, also as `tablinum`, `tablinum start` or `tablinum --demo`. */
const showsPages = (entry, [command = 'start']) =>
  SHOWS_PAGES.includes(entry) || (entry === CLI && (command === 'start' || command.startsWith('--')))

const HAVE = 'node_modules/.package-lock.json'

/** Whether the installed packages, which npm records when it is done, match the lock file. */
const installed = (omitDev) => {
  const want = read('package-lock.json').packages
  const have = read(HAVE)?.packages
  if (!have) return false
  const same = (a, b) => (a && b ? a.version === b.version && a.integrity === b.integrity : (a ?? b).optional || (omitDev && isDev(a)))
  return Object.keys({ ...want, ...have }).every((path) => path === '' || same(want[path], have[path]))
}

const isDev = (entry) => Boolean(entry?.dev || entry?.devOptional)

/** Once something has installed them, the next installs keep them. */
const hasDevPackages = () => Object.values(read(HAVE)?.packages ?? {}).some(isDev)

const read = (file) => (existsSync(join(root, file)) ? JSON.parse(readFileSync(join(root, file), 'utf8')) : undefined)

const install = async (omitDev) => {
  await takeLock()
  try {
    if (installed(omitDev)) return // another process just installed them
    console.log('Installing dependencies (first start or changed lock file)…')
    const dev = omitDev ? '--omit=dev' : '--include=dev'
    let npm = await runNpm('ci', dev)
    // `npm ci` rejects a lock file that lacks optional packages of other platforms, e.g. one created with an incomplete registry.
    if (npm.output.includes('EUSAGE')) npm = await runNpm('install', '--no-save', dev)
    if (npm.code !== 0)
      throw new Stop(
        `${npm.output}\nnpm failed to install the dependencies (${npm.signal ?? `exit code ${npm.code}`}). See its output above.`,
      )
  } finally {
    rmSync(LOCK, { force: true })
  }
}

const runNpm = async (...args) => {
  // Overrides npm settings of the machine: the optional packages include Node and Postgres.
  const settings = ['--include=optional', '--engine-strict=false', '--no-audit', '--no-fund']
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

/** One install at a time. The lock file contains the process IDs of its holder and of npm; when both are dead, it is free. */
const takeLock = async () => {
  const mine = `${LOCK}-${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    for (let waited = 0; ; waited++) {
      try {
        linkSync(mine, LOCK) // atomic, with its content; fails if a lock exists
        // A second process that found the same dead holder may have deleted our lock; the process named in the file holds it.
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

/** Whether nothing changed since the last start. Found out here, because another Node would take as long as a tenth of the start. */
const isWebBuilt = async () => (await import('./web-inputs.mjs')).isUnchanged(root)

/** Builds the web app on the Node that runs the server; does nothing if the build is up to date. */
const buildWeb = async (node) => {
  const { code, signal } = await ended(spawn(node, [join(root, BUILD_WEB)], { stdio: ['ignore', 'inherit', 'inherit'] }))
  if (code !== 0) throw new Stop(`Building the web app failed (${signal ?? `exit code ${code}`}). See the output above.`)
}

const findNode = () => {
  const brought = join(root, 'node_modules/.bin/node')
  if (existsSync(brought)) return brought
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Stop(
    `Tablinum needs Node 24 or newer, but this is Node ${process.versions.node}. Please install a newer Node for ${process.platform}-${process.arch}.`,
  )
}

/** Waits for the child and forwards signals to it. */
const ended = (child) =>
  new Promise((done, refuse) => {
    const passed = {}
    const pass = (signal) => {
      // A terminal also sends Ctrl-C and SIGHUP to the child, and npm repeats signals to us.
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
  process.exitCode = 128 + constants.signals[signal] // PID 1 of a container is not terminated by a signal
  process.kill(process.pid, signal)
}

await main(process.argv[2], process.argv.slice(3)).catch((error) => {
  console.error(error instanceof Stop ? error.message : error)
  process.exitCode = 1
})
