// Builds web/dist if the sources or the lock file changed since the last build.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listInputs, statInputs, statsFile } from './web-inputs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'web/dist')
const fresh = join(root, `web/dist-${process.pid}`)
const old = `${fresh}-old`

/** A hash of the build inputs. */
const fingerprint = () => {
  const hash = createHash('sha256')
  for (const file of listInputs(root)) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

const built = () => {
  const file = join(dist, '.fingerprint')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const stats = statInputs(root) // before the files are read: a later edit is then noticed
const wanted = fingerprint()
if (built() !== wanted) {
  console.error('Building the web app (first start or changed sources)…')
  const vite = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' }, // otherwise a test that starts this would get the development build of React
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const [code] = await once(vite, 'exit')
  if (code === 0) {
    writeFileSync(join(fresh, '.fingerprint'), wanted)
    // Swapped atomically, so that a mix of old and new files is never served. Of two concurrent builds the last wins.
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(fresh, dist)
  }
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
}

// The next start sees by it that nothing changed, without running this.
if (built() === wanted) writeFileSync(statsFile(root), stats)
