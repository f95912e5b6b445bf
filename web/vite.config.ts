import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const MIN_COMPRESSED_BYTES = 1024 // bytes; below this, compression saves nothing

/** Writes a .br and a .gz copy of every build file, so that the server never compresses. */
const precompress = (): Plugin => ({
  name: 'packed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => /\.(js|css|html|svg)$/.test(name))
    await Promise.all(
      names.map(async (name) => {
        const bytes = await readFile(join(dir, name))
        if (bytes.length < MIN_COMPRESSED_BYTES) return
        const settings = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
        await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(bytes, settings))
        await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
      }),
    )
  },
})

/** Modules of the shared folders that only some pages, menus or dialogs load. */
const LOADED_LATER =
  /\/(picker-list|editable|copyable-command|palette|other-page-commands|shortcuts-dialog|inbox|text-diff|form-dialog|tabs|segments|trend-line|timezone-field|save-edit|picker-options|owner-edits|file-drop|person-link|signal|api-reference|health-label|language-menu|job)\.tsx?$|\.json$/

const isSharedModule = (id: string): boolean =>
  /\/web\/(api|ui|shell|commands|i18n)\/|\/markdown\/plain-excerpt\./.test(id) && !LOADED_LATER.test(id)

/** Names of the icons in the shared modules and on the search page. */
const firstIcons = new Set(
  globSync('{api,ui,shell,commands,i18n,search}/**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .map((name) => join(import.meta.dirname, name))
    .filter((path) => isSharedModule(path) || /\/web\/search\//.test(path))
    .flatMap((path) => /import \{([^}]*)\} from 'lucide-react'/.exec(readFileSync(path, 'utf8'))?.[1]?.split(',') ?? [])
    .map((name) => name.trim()),
)

/** The files of all other icons. An icon can have several names. */
const laterIcons = new Set(
  [
    ...readFileSync(join(import.meta.dirname, '../node_modules/lucide-react/dist/esm/lucide-react.mjs'), 'utf8').matchAll(
      /export \{([^}]*)\} from '\.(\/icons\/[^']*)'/g,
    ),
  ]
    .filter(([, names = '']) => !names.split(',').some((name) => firstIcons.has(name.replace('default as', '').trim())))
    .map(([, , file]) => file),
)
const isLaterIcon = (id: string): boolean => laterIcons.has(/\/lucide-react\/dist\/esm(\/icons\/.*)$/.exec(id)?.[1])

/** One chunk for code that every page uses and one for the icons of later pages; by default they would be split into a hundred. */
const chooseChunk = (id: string): string | null => {
  if (isLaterIcon(id)) return 'icons'
  return /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/[a-z-]*(router|history|store|query)[a-z-]*|lucide-react)\//.test(
    id,
  ) ||
    /vite\/preload-helper|\/web\/[a-z/]+\/search-params\.ts$|\/core\/etag\.ts$/.test(id) ||
    isSharedModule(id)
    ? 'everywhere'
    : null
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), precompress()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0, // the Content-Security-Policy forbids data: URLs
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: chooseChunk, debugName: 'everywhere', includeDependenciesRecursively: false }] } },
    },
    manifest: true, // read by the server to preload chunks and by a test that checks their size
  },
  // For development: `npx vite web` with a server at TABLINUM_URL.
  server: { proxy: { '/api': process.env.TABLINUM_URL ?? 'http://127.0.0.1:3000' } },
})
