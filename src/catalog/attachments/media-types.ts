/** Decides by its content what a file is. Pure. The name of a file and what its sender says about it are never believed. */
export interface MediaType {
  readonly type: string
  /** Shown in the page by browsers; everything else is downloaded. */
  readonly inline: boolean
}

const IMAGE = (type: string): MediaType => ({ type, inline: true })
const DOWNLOAD = (type: string): MediaType => ({ type, inline: false })

const startsWith = (bytes: Buffer, ...signature: number[]): boolean => signature.every((byte, i) => bytes[i] === byte)
const textAt = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Undefined for a type that is not allowed. */
export const detectMediaType = (bytes: Buffer): MediaType | undefined => {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return IMAGE('image/png')
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return IMAGE('image/jpeg')
  if (/^GIF8[79]a/.test(textAt(bytes, 0, 6))) return IMAGE('image/gif')
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP') return IMAGE('image/webp')
  if (textAt(bytes, 4, 8) === 'ftyp' && /^avi[fs]/.test(textAt(bytes, 8, 12))) return IMAGE('image/avif')
  if (textAt(bytes, 0, 5) === '%PDF-') return DOWNLOAD('application/pdf')
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return detectArchive(bytes)
  return detectText(bytes)
}

/** Office documents are archives whose parts are in a folder named after the program. */
const detectArchive = (bytes: Buffer): MediaType => {
  const office = {
    'xl/workbook.': 'spreadsheetml.sheet',
    'word/document.': 'wordprocessingml.document',
    'ppt/presentation.': 'presentationml.presentation',
  }
  const found = Object.entries(office).find(([part]) => bytes.includes(part))
  return DOWNLOAD(found ? `application/vnd.openxmlformats-officedocument.${found[1]}` : 'application/zip')
}

/** Pictures as SVG can contain scripts, so they are files to download, as is every other text. */
const detectText = (bytes: Buffer): MediaType | undefined => {
  if (bytes.length === 0 || bytes.includes(0)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (/[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) return undefined
    return DOWNLOAD(isSvg(text.slice(0, 4000)) ? 'image/svg+xml' : 'text/plain')
  } catch {
    return undefined
  }
}

/** What may precede the root element, piece by piece: one expression for all of it takes time exponential in the number of comments. */
const BEFORE_ROOT = /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>)/i

const isSvg = (text: string): boolean => {
  let rest = text.trimStart()
  for (let found = BEFORE_ROOT.exec(rest); found; found = BEFORE_ROOT.exec(rest)) rest = rest.slice(found[0].length).trimStart()
  return /^<svg[\s>]/i.test(rest)
}
