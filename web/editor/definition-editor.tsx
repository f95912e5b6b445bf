import type { Resource } from '../api/types.ts'
import { cacheResource } from '../resources/use-edit.ts'
import { MarkdownEditor } from './markdown-editor.tsx'

/** The editor for a resource's documentation. */
export const DefinitionEditor = ({ resource, onClose }: { resource: Resource; onClose: () => void }) => (
  <MarkdownEditor resource={resource} onSaved={cacheResource} onClose={onClose} />
)
