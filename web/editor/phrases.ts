import { EditorState } from '@codemirror/state'
import { t } from '../words/words.ts'

/** CodeMirror's own texts for screen readers. */
export const phrases = EditorState.phrases.of({ Completions: t('Completions'), 'Selection deleted': t('Selection deleted') })
