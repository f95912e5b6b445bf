import { isObject } from '../../platform/core/json-value.ts'
import { type Entities, type Entity, getAspect, isRemoved, toStrings, toText } from './entities.ts'

/** Relations that only one of the two entities reports. Pure. */

/** The dashboard in which a chart is shown first. */
export const findDashboardsOfCharts = (entities: Entities): Map<string, string> => {
  const found = new Map<string, string>()
  for (const entity of entities.values()) {
    if (entity.type !== 'dashboard' || isRemoved(entity)) continue
    const { charts, chartEdges } = getAspect(entity, 'dashboardInfo')
    for (const chart of [...toStrings(charts), ...toStrings(chartEdges)]) if (!found.has(chart)) found.set(chart, entity.urn)
  }
  return found
}

/** The data products of each entity. */
export const findProducts = (entities: Entities): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const entity of entities.values()) {
    if (entity.type !== 'dataProduct' || isRemoved(entity)) continue
    for (const asset of toStrings(getAspect(entity, 'dataProductProperties').assets))
      found.set(asset, [...(found.get(asset) ?? []), entity.urn])
  }
  return found
}

/** Where an entity is shown in DataHub, from the outermost folder inwards, as far as its containers do not say so. */
export const readFolders = (entity: Entity, entities: Entities): string[] | undefined => {
  const { path } = getAspect(entity, 'browsePathsV2')
  const hasContainer = entity.aspects.has('container')
  const folders = Array.isArray(path)
    ? path.filter(isObject).filter(({ urn }) => !toText(urn)?.startsWith('urn:li:dataPlatformInstance:'))
    : []
  if (folders.some(({ urn }) => !hasContainer || !toText(urn)))
    return folders.flatMap(
      ({ id, urn }) => toText(getAspect(entities.get(toText(urn) ?? ''), 'containerProperties').name) ?? toText(id) ?? [],
    )
  const [first] = hasContainer ? [] : toStrings(getAspect(entity, 'browsePaths').paths)
  return first?.split('/').filter((each) => each !== '')
}

export const findAssertedDataset = (entity: Entity): string | undefined => {
  const info = getAspect(entity, 'assertionInfo')
  for (const about of Object.values(info))
    if (isObject(about)) {
      const urn = toText(about.dataset) ?? toText(about.entity)
      if (urn) return urn
    }
  return toText(getAspect(entity, 'assertionRunEvent').asserteeUrn) ?? toText(info.entityUrn)
}
