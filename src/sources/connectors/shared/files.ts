import { realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { getTextCredential, type Source } from './connector.ts'

/** The file or folder a source names. It must be inside the folder for sources, also after resolving symbolic links. */
export const resolveSourcePath = async (source: Source): Promise<string> => {
  const { filesFolder } = source
  if (!filesFolder) throw new Error('This server has no folder for files. Set TABLINUM_FILES to the folder that contains them.')
  const path = getTextCredential(source, 'path')!
  const folder = await realpath(filesFolder).catch(() => {
    throw new Error('The folder TABLINUM_FILES does not exist.')
  })
  // The same error whether the path is outside the folder or missing.
  const missing = new Error(`${path} does not exist in the folder TABLINUM_FILES.`)
  const real = await realpath(resolve(folder, path)).catch(() => {
    throw missing
  })
  const inside = relative(folder, real)
  if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside) throw missing
  return real
}

export const resolveSourceFile = async (source: Source): Promise<string> => {
  const file = await resolveSourcePath(source)
  if (!(await stat(file)).isFile()) throw new Error(`${getTextCredential(source, 'path')} is not a file.`)
  return file
}
