import { EditorState } from '@codemirror/state'
import { t } from '../i18n/messages.ts'

/** CodeMirror's own texts for screen readers. */
export const phrases = EditorState.phrases.of({ Completions: t('Completions'), 'Selection deleted': t('Selection deleted') })
