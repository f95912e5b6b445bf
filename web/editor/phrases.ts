import { EditorState } from '@codemirror/state'
import { t } from '../words/words.ts'

/** What CodeMirror itself says, to those who listen. */
export const phrases = EditorState.phrases.of({ Completions: t('Completions'), 'Selection deleted': t('Selection deleted') })
