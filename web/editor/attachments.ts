import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { api } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { showErrorToast, showNotice } from '../ui/toast.tsx'

const MAX_FILES = 10
const MAX_BYTES = 10 * 1024 * 1024
let uploads = 0

/** Uploads files to the resource and puts them into the text: images are shown, other files are links. */
export const attachFiles = async (view: EditorView, resource_id: string, files: readonly File[]): Promise<void> => {
  if (files.length > MAX_FILES) return showNotice(t('Attach at most {n} files at once.', { n: MAX_FILES }))
  for (const file of files) await attachFile(view, resource_id, file)
}

/** A placeholder shows where the file will be, and keeps its place while the text is edited. */
const attachFile = async (view: EditorView, resource_id: string, file: File): Promise<void> => {
  if (file.size > MAX_BYTES) return showNotice(t('{name} is too large. The limit is 10 MB.', { name: file.name }))
  uploads += 1
  const placeholder = `![${t('Uploading {name}…', { name: escapeText(file.name) })}](#upload-${uploads})`
  const { from, to } = view.state.selection.main
  const insert = getBreakBefore(view.state.doc, from) + placeholder
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input.paste' })
  try {
    const { name, url, media_type } = await api.post<Schemas['Attachment']>(`/resource/all/${resource_id}/attachments`, file, {
      query: { name: file.name },
      type: 'application/octet-stream',
    })
    const shown = media_type.startsWith('image/') && media_type !== 'image/svg+xml'
    replace(view, placeholder, `${shown ? '!' : ''}[${escapeText(name)}](${url})`)
  } catch (error) {
    replace(view, placeholder, '')
    showErrorToast(t('Couldn’t attach {name}.', { name: file.name }), error)
  }
}

/** A line that follows a table would become a row of it. */
const getBreakBefore = (doc: Text, at: number): string => {
  const line = doc.lineAt(at)
  const isBelowTable = line.from === at && line.number > 1 && doc.line(line.number - 1).text.includes('|')
  return isBelowTable ? '\n' : ''
}

/** Not found if it was deleted in the meantime. */
const replace = (view: EditorView, before: string, after: string): void => {
  const at = view.state.doc.toString().indexOf(before)
  if (at >= 0) view.dispatch({ changes: { from: at, to: at + before.length, insert: after } })
}

const escapeText = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&')
