import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Loaded before the program of a driver (`--import`): its package comes from a folder. Both are in the query of the URL. */
const { searchParams } = new URL(import.meta.url)
const [folder, name] = ['folder', 'package'].map((each) => searchParams.get(each) ?? '') as [string, string]
const parentURL = pathToFileURL(join(folder, 'package.json')).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === name || specifier.startsWith(`${name}/`) ? { ...context, parentURL } : context),
})
