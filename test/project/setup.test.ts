import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeProblem, platformProblem } from '../../scripts/platform.mjs'

const OLD_NODE = ['--import', 'data:text/javascript,delete process.execve']

test('installs once, and again when the lock file changes', async () => {
  await using clone = await createClone()
  expect(await clone.run('hello.ts', 'a', '--b')).toMatchObject({ code: 0, output: expect.stringContaining('Installing dependencies') })
  expect(await clone.run('hello.ts', 'a', '--b')).toMatchObject({ code: 0, output: 'hello a --b\n' })
  expect(await clone.installs()).toBe(1)
  await clone.want('1.0.1')
  expect((await clone.run('hello.ts')).output).toContain('Installing')
  expect(await clone.installs()).toBe(2)
})

test('a start installs no packages for development, and keeps those that are there', async () => {
  await using clone = await createClone()
  await clone.want('1.0.0', { 'node_modules/tool': { version: '2.0.0', integrity: '2.0.0', dev: true } })
  const file = (name: string) => join(clone.path, name)
  await mkdir(file('src'))
  await writeFile(file('src/server.ts'), PROGRAMS['hello.ts'])
  const calls = async () => (await readFile(file('npm-calls'), 'utf8')).trim().split('\n')
  for (const entry of ['src/server.ts', 'src/server.ts', 'hello.ts', 'hello.ts', 'src/server.ts'])
    expect(await clone.run(entry)).toMatchObject({ code: 0, output: expect.stringContaining('hello') })
  expect((await calls()).map((call) => /--(omit|include)=dev/.exec(call)?.[1])).toEqual(['omit', 'include'])
  await clone.want('1.0.1', { 'node_modules/tool': { version: '2.0.1', integrity: '2.0.1', dev: true } })
  await clone.run('src/server.ts')
  expect((await calls()).at(-1)).toContain('--include=dev')
})

test('the web app is built by the first start and after an edit', async () => {
  await using clone = await createClone({ installed: true })
  const file = (name: string) => join(clone.path, name)
  for (const name of ['build-web.mjs', 'web-inputs.mjs'])
    await copyFile(join(import.meta.dirname, '../../scripts', name), file(`scripts/${name}`))
  for (const folder of ['src', 'web/pages', 'node_modules/vite/bin']) await mkdir(file(folder), { recursive: true })
  await writeFile(file('src/server.ts'), PROGRAMS['hello.ts'])
  await writeFile(file('web/pages/page.txt'), 'old')
  await writeFile(file('node_modules/vite/bin/vite.js'), VITE)
  const start = async () => ({
    built: (await clone.run('src/server.ts')).output.includes('Building the web app'),
    page: await readFile(file('web/dist/page.txt'), 'utf8'),
  })
  expect(await start()).toEqual({ built: true, page: 'old' })
  expect(await start()).toEqual({ built: false, page: 'old' })
  await utimes(file('web/pages/page.txt'), 1, 1) // another time, the same content
  expect(await start()).toEqual({ built: false, page: 'old' })
  await writeFile(file('web/pages/page.txt'), 'new')
  expect(await start()).toEqual({ built: true, page: 'new' })
  await rm(file('web/dist'), { recursive: true })
  expect(await start()).toEqual({ built: true, page: 'new' })
})

test('two concurrent starts share one install', async () => {
  await using clone = await createClone()
  const both = await Promise.all([clone.run('hello.ts'), clone.run('hello.ts')])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(await clone.installs()).toBe(1)
  expect(existsSync(join(clone.path, '.installing'))).toBe(false)
})

test('a killed install does not block the next one', async () => {
  await using clone = await createClone()
  const dead = spawn('true')
  await once(dead, 'exit')
  await writeFile(join(clone.path, '.installing'), `${dead.pid} ${dead.pid}`)
  expect((await clone.run('hello.ts')).code).toBe(0)
})

test('a failed install reports npm’s error and is retried', async () => {
  await using clone = await createClone()
  await writeFile(join(clone.path, 'broken'), '')
  expect(await clone.run('hello.ts')).toMatchObject({ code: 1, output: expect.stringContaining('the registry is on fire') })
  await rm(join(clone.path, 'broken'))
  expect((await clone.run('hello.ts')).code).toBe(0)
})

test('a lock file rejected by npm ci is still installed', async () => {
  await using clone = await createClone()
  await writeFile(join(clone.path, 'strict'), '')
  expect((await clone.run('hello.ts')).code).toBe(0)
  expect(await clone.installs()).toBe(2)
})

test('optional packages of other platforms are not required', async () => {
  await using clone = await createClone()
  await clone.run('hello.ts')
  await clone.want('1.0.0', { 'node_modules/for-windows': { version: '3.0.0', optional: true } })
  expect((await clone.run('hello.ts')).output).toBe('hello \n')
})

// Node 20 stays as the parent process; a newer one is replaced by the program.
for (const [which, options] of [
  ['as the parent', OLD_NODE],
  ['having become it', []],
] as const) {
  test(`the exit code is passed on, ${which}`, async () => {
    await using clone = await createClone({ installed: true })
    expect(await clone.run(...options, 'seven.ts')).toMatchObject({ code: 7, signal: null })
  })

  test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(`%s lets the program shut down in its own time, ${which}`, async (signal) => {
    await using clone = await createClone({ installed: true })
    const setup = clone.start(...options, 'graceful.ts')
    await once(setup.process.stdout, 'data')
    setup.process.kill(signal)
    expect(await setup.end).toMatchObject({ code: 5, output: `ready\n${signal}\n` })
  })

  test(`a program killed by a signal is reported as such, ${which}`, async () => {
    await using clone = await createClone({ installed: true })
    expect(await clone.run(...options, 'killed.ts')).toMatchObject({ code: null, signal: 'SIGKILL' })
  })
}

test('kill -9 of the parent stops the program', async () => {
  await using clone = await createClone({ installed: true })
  const setup = clone.start(...OLD_NODE, 'graceful.ts')
  await once(setup.process.stdout, 'data')
  setup.process.kill('SIGKILL')
  expect(await setup.end).toMatchObject({ signal: 'SIGKILL', output: 'ready\nSIGTERM\n' })
})

test.for([
  [{ platform: 'linux', arch: 'x64', glibc: '2.36', node: '20.0.0' }, undefined],
  [{ platform: 'linux', arch: 'arm64', glibc: '2.36', node: '24.1.0' }, undefined],
  [{ platform: 'darwin', arch: 'arm64', node: '24.0.0' }, undefined],
  [{ platform: 'darwin', arch: 'x64', node: '22.9.0' }, 'On macOS Tablinum needs Node 24 or newer; this is Node 22.9.0.'],
  [{ platform: 'linux', arch: 'x64', glibc: '2.36', node: '18.2.0' }, 'needs Node 20 or newer'],
  [{ platform: 'linux', arch: 'x64', node: '24.0.0' }, 'musl'],
  [{ platform: 'linux', arch: 'riscv64', glibc: '2.36', node: '24.0.0' }, 'this is linux-riscv64'],
  [{ platform: 'win32', arch: 'x64', node: '24.0.0' }, 'WSL 2'],
] as const)('an unsupported machine gets a readable message: %j', ([machine, words]) => {
  const problem = platformProblem(machine)
  if (words === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(words)
})

test('the npm package names the Node it needs', () => {
  expect(['24.15.0', '24.21.0', '26.0.0'].map(nodeProblem)).toEqual([undefined, undefined, undefined])
  expect(nodeProblem('24.14.1')).toContain('needs Node 24.15 or newer; this is Node 24.14.1.')
  expect(nodeProblem('22.23.3')).toContain('npx -p node@24 -p tablinum tablinum')
})

const PROGRAMS = {
  'hello.ts': `console.log('hello', process.argv.slice(2).join(' '))`,
  'seven.ts': `process.exit(7)`,
  'killed.ts': `process.kill(process.pid, 'SIGKILL')`,
  'graceful.ts': `
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
      process.on(signal, () => { console.log(signal); setTimeout(() => process.exit(5), 200) })
    setInterval(() => {}, 1000)
    console.log('ready')`,
}

const VITE = `
const fs = require('node:fs')
const target = process.argv[process.argv.indexOf('--outDir') + 1]
fs.mkdirSync(target)
fs.copyFileSync('web/pages/page.txt', target + '/page.txt')
`

const NPM = `#!/bin/sh
echo "$@" >> npm-calls
sleep 0.3
if [ -e broken ]; then echo 'the registry is on fire' >&2; exit 3; fi
if [ -e strict ] && [ "$1" = ci ]; then echo 'npm error code EUSAGE' >&2; exit 1; fi
mkdir -p node_modules/.bin && ln -sf "${process.execPath}" node_modules/.bin/node
case "$*" in *--omit=dev*) keep='!each.dev' ;; *) keep=true ;; esac
"${process.execPath}" -e "
  const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, each]) => $keep))
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))"
`

/** A folder with setup.mjs, a few programs, and a fake npm that only installs this Node and records what it was asked for. */
const createClone = async ({ installed = false } = {}) => {
  const path = await mkdtemp(join(tmpdir(), 'tablinum-setup-'))
  await mkdir(join(path, 'scripts'))
  await mkdir(join(path, 'path'))
  await copyFile(join(import.meta.dirname, '../../scripts/setup.mjs'), join(path, 'scripts/setup.mjs'))
  await writeFile(join(path, 'path/npm'), NPM, { mode: 0o755 })
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(path, name), text)

  const want = (version: string, more = {}) =>
    writeFile(
      join(path, 'package-lock.json'),
      JSON.stringify({ packages: { '': {}, 'node_modules/part': { version, integrity: version }, ...more } }),
    )
  await want('1.0.0')
  if (installed) {
    await mkdir(join(path, 'node_modules/.bin'), { recursive: true })
    await symlink(process.execPath, join(path, 'node_modules/.bin/node'))
    await copyFile(join(path, 'package-lock.json'), join(path, 'node_modules/.package-lock.json'))
  }

  const start = (...args: string[]) => {
    const options = args.splice(
      0,
      args.findIndex((arg) => arg.endsWith('.ts')),
    )
    const child = spawn(process.execPath, [...options, 'scripts/setup.mjs', ...args], {
      cwd: path,
      env: { ...process.env, PATH: `${join(path, 'path')}${delimiter}${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    return { process: child, end: once(child, 'close').then(([code, signal]) => ({ code, signal, output })) }
  }
  return {
    path,
    want,
    start,
    run: (...args: string[]) => start(...args).end,
    installs: async () => (await readFile(join(path, 'npm-calls'), 'utf8')).trim().split('\n').length,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
