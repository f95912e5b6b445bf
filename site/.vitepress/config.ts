import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { slugify } from '../../scripts/docs/markdown.ts'

// Written by scripts/docs.ts together with the pages.
const { version, root, base, sideBar, output } = JSON.parse(readFileSync(new URL('../pages/settings.json', import.meta.url), 'utf8'))

export default defineConfig({
  title: 'Tablinum',
  description: 'Documentation of Tablinum, the data catalog.',
  lang: 'en',
  srcDir: 'pages',
  outDir: output,
  base,
  // The addresses in examples belong to the reader's own server. Pages of a release can no longer be corrected.
  ignoreDeadLinks: base === root ? [/^https?:\/\/(localhost|127\.0\.0\.1)/] : true,
  markdown: {
    anchor: { slugify }, // links to headings work here as on GitHub
    attrs: { disable: true }, // `{id}` is part of a path, not an attribute
    config: (md) => {
      // Pages are text, not templates of Vue.
      for (const rule of ['text', 'code_inline']) {
        const render = md.renderer.rules[rule]
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  vite: { configFile: false, build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    version,
    root,
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'API reference', link: '/reference/' },
      { text: 'Changelog', link: '/project/changelog' },
    ],
    sidebar: sideBar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
