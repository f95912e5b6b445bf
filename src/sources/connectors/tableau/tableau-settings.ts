import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface TableauSettings extends HttpSettings {
  readonly url: string
  readonly site: string
  readonly token_name: string
  readonly token_secret: string
}

export const TABLEAU_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'token_name', 'token_secret'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of Tableau, e.g. https://prod-useast-a.online.tableau.com.',
      destination: true,
    },
    site: {
      type: 'string',
      title: 'Site',
      description: 'The name of the site in the address after /site/. Leave blank for the default site of Tableau Server.',
      default: '',
    },
    token_name: { type: 'string', title: 'Token name', description: 'Name of a personal access token.' },
    token_secret: { type: 'string', title: 'Token secret', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const TABLEAU_GRANTS =
  'A personal access token of a user with the site role Viewer (or higher) and the capability View on the projects, workbooks and data sources that should be in the catalog. The Metadata API must be on (Tableau Server: tsm maintenance metadata-services enable). Names of tables are visible to users with the capability View on the databases, or to site administrators.'
