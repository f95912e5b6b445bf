import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LOADED =
  /<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)="((?:https?:)?\/\/[^"]*)"|(?:url\(|@import )["']?((?:https?:)?\/\/[^)"';]*)/g

/** What the pages of a built site would load from other hosts. Links that a reader clicks are not loaded. */
export const findForeignHosts = (folder: string): string[] =>
  globSync('**/*.{html,css}', { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(LOADED)].map(([, source, style]) => `${file}: ${source ?? style}`),
  )
