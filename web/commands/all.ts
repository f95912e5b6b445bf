/**
 * Every command of the app and its key, in one place: the palette, the `?` sheet and the keyboard are made from this list.
 * A page says what a command does while it is on screen (`useCommand`).
 *
 * `mod` is ⌘ on a Mac and Ctrl elsewhere; `g s` is one key after the other.
 */
interface Command {
  readonly label: string
  readonly group:
    | 'Everywhere'
    | 'Go to'
    | 'Results'
    | 'Resource'
    | 'Lineage'
    | 'Monitors'
    | 'Integrations'
    | 'Documents'
    | 'Glossary'
    | 'Editor'
  readonly keys?: string
  /** Too small for the palette: moving about, or what only a key makes sense of. */
  readonly keyOnly?: boolean
}

const define = <T extends Record<string, Command>>(commands: T): Record<keyof T, Command> => commands

export const COMMANDS = define({
  palette: { label: 'Search and commands', group: 'Everywhere', keys: 'mod+k', keyOnly: true },
  search: { label: 'Search', group: 'Everywhere', keys: '/', keyOnly: true },
  keys: { label: 'Keyboard shortcuts', group: 'Everywhere', keys: '?' },
  inbox: { label: 'Open the inbox', group: 'Everywhere', keys: 'g n' },
  'theme.light': { label: 'Light theme', group: 'Everywhere' },
  'theme.dark': { label: 'Dark theme', group: 'Everywhere' },
  'theme.system': { label: 'Theme of the system', group: 'Everywhere' },
  'sign-out': { label: 'Sign out', group: 'Everywhere' },

  'go.home': { label: 'Home', group: 'Go to', keys: 'g h' },
  'go.search': { label: 'Catalog', group: 'Go to', keys: 'g c' },
  'go.tree': { label: 'Browse the tree', group: 'Go to', keys: 'g t' },
  'go.lineage': { label: 'Lineage', group: 'Go to', keys: 'g l' },
  'go.monitors': { label: 'Monitors', group: 'Go to', keys: 'g m' },
  'go.incidents': { label: 'Incidents', group: 'Go to', keys: 'g o' },
  'go.integrations': { label: 'Integrations', group: 'Go to', keys: 'g i' },
  'go.documents': { label: 'Documents', group: 'Go to', keys: 'g d' },
  'go.glossary': { label: 'Glossary', group: 'Go to', keys: 'g y' },
  'go.activity': { label: 'Activity', group: 'Go to', keys: 'g a' },
  'go.settings': { label: 'Settings', group: 'Go to', keys: 'g s' },

  'results.next': { label: 'Next result', group: 'Results', keys: 'j', keyOnly: true },
  'results.previous': { label: 'Previous result', group: 'Results', keys: 'k', keyOnly: true },
  'results.open': { label: 'Open the result', group: 'Results', keys: 'Enter', keyOnly: true },
  'results.peek': { label: 'Peek at the result', group: 'Results', keys: 'Space', keyOnly: true },
  'results.select': { label: 'Select the result', group: 'Results', keys: 'x', keyOnly: true },
  'results.edit': { label: 'Edit the description of the result', group: 'Results', keys: 'e', keyOnly: true },
  'results.select-all': { label: 'Select all loaded results', group: 'Results', keys: 'shift+x' },
  'results.clear': { label: 'Clear the selection, or close the peek', group: 'Results', keys: 'Escape', keyOnly: true },
  'results.export': { label: 'Export these results as CSV', group: 'Results' },
  'results.save-view': { label: 'Save this view', group: 'Results' },
  'results.clear-filters': { label: 'Clear all filters', group: 'Results' },

  'resource.edit': { label: 'Edit the documentation', group: 'Resource', keys: 'e' },
  'resource.verify': { label: 'Verify, or take it back', group: 'Resource', keys: 'v' },
  'resource.bookmark': { label: 'Bookmark', group: 'Resource', keys: 'b' },
  'resource.subscribe': { label: 'Subscribe to changes', group: 'Resource', keys: 's' },
  'resource.copy-link': { label: 'Copy the link', group: 'Resource', keys: 'c' },

  'lineage.find': { label: 'Find in this drawing', group: 'Lineage', keys: 'f' },
  'lineage.upstream': { label: 'Show what is upstream of the chosen resource', group: 'Lineage', keys: '[' },
  'lineage.downstream': { label: 'Show what is downstream of the chosen resource', group: 'Lineage', keys: ']' },
  'lineage.columns': { label: 'Show or hide the columns of the chosen resource', group: 'Lineage', keys: 'o' },
  'lineage.link': { label: 'Link the chosen resource to…', group: 'Lineage', keys: 'n' },
  'lineage.list': { label: 'Graph or list', group: 'Lineage', keys: 'l' },
  'lineage.what-if': { label: 'What breaks if this changes…', group: 'Lineage', keys: 'w' },
  'lineage.sql': { label: 'Lineage from SQL…', group: 'Lineage' },
  'lineage.fit': { label: 'Fit everything', group: 'Lineage', keys: '0' },
  'lineage.zoom-in': { label: 'Zoom in', group: 'Lineage', keys: '+', keyOnly: true },
  'lineage.zoom-out': { label: 'Zoom out', group: 'Lineage', keys: '-', keyOnly: true },
  'lineage.clear': { label: 'Clear the choice', group: 'Lineage', keys: 'Escape', keyOnly: true },
  'lineage.png': { label: 'Export the drawing as PNG', group: 'Lineage' },
  'lineage.svg': { label: 'Export the drawing as SVG', group: 'Lineage' },
  'lineage.csv': { label: 'Export the links as CSV', group: 'Lineage' },

  'monitors.new': { label: 'New monitor', group: 'Monitors', keys: 'n' },
  'monitors.config': { label: 'Monitors as code', group: 'Monitors' },
  'monitors.run': { label: 'Run the monitor now', group: 'Monitors', keys: 'r' },
  'incident.acknowledge': { label: 'Acknowledge the incident', group: 'Monitors', keys: 'a' },
  'incident.resolve': { label: 'Resolve the incident', group: 'Monitors', keys: 'shift+r' },
  'incident.normal': { label: 'Mark the incident as normal', group: 'Monitors' },

  'documents.new': { label: 'New document', group: 'Documents', keys: 'n' },
  'glossary.new': { label: 'New term', group: 'Glossary', keys: 'n' },

  'integrations.new': { label: 'Add a source', group: 'Integrations', keys: 'n' },
  'integrations.sync': { label: 'Sync now', group: 'Integrations', keys: 'y' },
  'integrations.test': { label: 'Test the connection', group: 'Integrations' },

  'editor.save': { label: 'Save now', group: 'Editor', keys: 'mod+s', keyOnly: true },
  'editor.preview': { label: 'Show or hide the preview', group: 'Editor', keys: 'mod+shift+p', keyOnly: true },
})
export type CommandId = keyof typeof COMMANDS
