import { GRAFANA_SETTINGS } from '../connectors/grafana/grafana-settings.ts'
import { LOOKER_SETTINGS } from '../connectors/looker/looker-settings.ts'
import { METABASE_SETTINGS } from '../connectors/metabase/metabase-settings.ts'
import { MODE_SETTINGS } from '../connectors/mode/mode-settings.ts'
import { POWERBI_SETTINGS } from '../connectors/powerbi/powerbi-settings.ts'
import { REDASH_SETTINGS } from '../connectors/redash/redash-settings.ts'
import { SUPERSET_SETTINGS } from '../connectors/superset/superset-settings.ts'
import { TABLEAU_SETTINGS } from '../connectors/tableau/tableau-settings.ts'
import { biType, type IntegrationType } from './integration-type.ts'

export const BI_TYPES: readonly IntegrationType[] = [
  biType('metabase', 'Metabase', METABASE_SETTINGS),
  biType('superset', 'Apache Superset', SUPERSET_SETTINGS),
  biType('tableau', 'Tableau', TABLEAU_SETTINGS),
  biType('powerbi', 'Power BI', POWERBI_SETTINGS),
  biType('looker', 'Looker', LOOKER_SETTINGS),
  biType('redash', 'Redash', REDASH_SETTINGS),
  biType('grafana', 'Grafana', GRAFANA_SETTINGS),
  biType('mode', 'Mode', MODE_SETTINGS),
]
