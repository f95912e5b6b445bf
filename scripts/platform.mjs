// Explains why Tablinum cannot run on this platform. `npm start` and `npm test` check it first, because on Windows nothing else would start.
// Plain JavaScript, so that any Node from 20 on can run it.
import { fileURLToPath } from 'node:url'

/** Undefined on supported platforms. `glibc` is the version of the C library Node runs with; musl has none. */
export const platformProblem = ({ platform, arch, glibc, node }) => {
  const place = `${platform}-${arch}`
  if (platform === 'win32')
    return 'Tablinum does not run on Windows itself. Run it in WSL 2 (https://learn.microsoft.com/windows/wsl) or on Linux.'
  if (!['linux', 'darwin'].includes(platform) || !['x64', 'arm64'].includes(arch))
    return `Tablinum runs on Linux and macOS, on x64 and arm64; this is ${place}.`
  if (platform === 'linux' && !glibc)
    return 'Tablinum needs a Linux with glibc (Debian, Ubuntu, Fedora, …); this one, such as Alpine, has musl.'
  const major = Number(node.split('.')[0])
  if (platform === 'darwin' && major < 24)
    return `On macOS Tablinum needs Node 24 or newer; this is Node ${node}. Install it from https://nodejs.org.`
  if (major < 20) return `Tablinum needs Node 20 or newer; this is Node ${node}.`
  return undefined
}

/** The first version with everything the code uses: Argon2 in node:crypto, limits of node:sqlite. */
const MIN_NODE = [24, 15]

/** The npm package runs on the Node of the machine; a checkout brings its own. */
export const nodeProblem = (node) => {
  const [major, minor] = node.split('.').map(Number)
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return undefined
  return `Tablinum needs Node ${MIN_NODE.join('.')} or newer; this is Node ${node}. Install it from https://nodejs.org, or run: npx -p node@24 -p tablinum tablinum`
}

export const thisMachine = () => ({
  platform: process.platform,
  arch: process.arch,
  glibc: process.platform === 'linux' ? process.report.getReport().header.glibcVersionRuntime : undefined,
  node: process.versions.node,
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = platformProblem(thisMachine())
  if (problem) {
    console.error(problem)
    process.exitCode = 1
  }
}
