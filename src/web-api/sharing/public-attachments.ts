import { randomBytes } from 'node:crypto'
import { withoutInternalLinks } from './without-internal-links.ts'

/**
 * The text of a public page. The addresses of these attachments, by ID, are replaced by those below its link, which need no account; every other
 * address of the catalog is left out.
 */
export const withPublicAttachments = (text: string, publicUrl: string, addresses: ReadonlyMap<string, string>): string => {
  if (addresses.size === 0) return withoutInternalLinks(text, publicUrl)
  const origin = URL.canParse(publicUrl) ? new URL(publicUrl).origin : publicUrl
  // While links are left out, these have an address of another site. It is random, so that no author can write it.
  const base = `https://${randomBytes(12).toString('hex')}.invalid/`
  const shown: string[] = []
  const marked = text.replace(ADDRESS, (address, host: string | undefined, id: string) => {
    const target = addresses.get(id.toLowerCase())
    const isOurs = host === undefined || host.toLowerCase() === origin.toLowerCase()
    return target !== undefined && isOurs ? `${base}${shown.push(target) - 1}/` : address
  })
  const marks = new RegExp(`${base.replaceAll('.', '\\.')}(\\d+)/`, 'g')
  return withoutInternalLinks(marked, publicUrl).replace(marks, (_, n: string) => shown[Number(n)]!)
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const ADDRESS = new RegExp(`(?<![\\w./:@%-])(https?://[\\w.:[\\]-]{1,300})?/api/v1/attachment/(${UUID})(?![\\w/?%-])`, 'gi')
