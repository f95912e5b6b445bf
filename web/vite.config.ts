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

/** One chunk for code that every page uses; by default it would be split into forty. */
const chooseChunk = (id: string): string | null =>
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/[a-z-]*(router|history|store|query)[a-z-]*|lucide-react)\//.test(
    id,
  ) ||
  /vite\/preload-helper|\/web\/[a-z]+\/search-params\.ts$|\/core\/etag\.ts$/.test(id) ||
  (/\/web\/(api|ui|shell|commands|i18n)\//.test(id) &&
    !/(render-markdown|decorate-markdown|diagrams|sql-tokens|markdown|markdown-sections|allowed-markup|picker-list|editable|copyable-command|palette|shortcuts-dialog|inbox|text-diff|form-dialog|tabs|timezone-field|save-edit|picker-options|owner-edits)\.tsx?$|\.json$/.test(
      id,
    ))
    ? 'everywhere'
    : null

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
