import { realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { type Source, textOf } from './connector.ts'

/** The file or folder a source names, which must really lie inside the folder for sources: also after every link was followed. */
export const findInside = async (source: Source): Promise<string> => {
  const { filesFolder } = source
  if (!filesFolder) throw new Error('This server opens no files. Set TABLINUM_FILES to the folder where they lie.')
  const path = textOf(source, 'path')!
  const folder = await realpath(filesFolder).catch(() => {
    throw new Error('The folder TABLINUM_FILES is not there.')
  })
  // What lies outside is not told from what is not there.
  const missing = new Error(`There is no ${path} in the folder TABLINUM_FILES.`)
  const real = await realpath(resolve(folder, path)).catch(() => {
    throw missing
  })
  const inside = relative(folder, real)
  if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside) throw missing
  return real
}

export const findFile = async (source: Source): Promise<string> => {
  const file = await findInside(source)
  if (!(await stat(file)).isFile()) throw new Error(`${textOf(source, 'path')} is not a file.`)
  return file
}
