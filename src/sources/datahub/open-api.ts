import { invalid } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { type AspectChange, type ParsedEvents, parseEach, parseProposal } from './change.ts'

/** Entities as DataHub's OpenAPI v3 endpoint takes them: `[{"urn": …, "<aspect>": {"value": …}}]`; with PATCH, the values are patches. Pure. */
export const toEntityChanges = (entityType: string, body: unknown, changeType: 'UPSERT' | 'PATCH'): ParsedEvents => {
  if (!Array.isArray(body)) throw invalid({ body: ['must be a list of entities.'] })
  return parseEach(body, '', (entity, place): AspectChange[] => {
    if (!isObject(entity)) throw invalid({ [place]: ['must be an object with urn.'] })
    const { urn, ...aspects } = entity
    return Object.entries(aspects)
      .filter(([, aspect]) => aspect !== null)
      .map(([aspectName, aspect]) => {
        const value = isObject(aspect) ? aspect.value : undefined
        if (!isObject(aspect) || value === null || typeof value !== 'object')
          throw invalid({ [`${place}.${aspectName}`]: ['must be an object with value.'] })
        const { systemMetadata } = aspect
        const event = { entityUrn: urn, entityType, aspectName, changeType, aspect: { json: value }, systemMetadata }
        return parseProposal(event, `${place}.${aspectName}`)
      })
  })
}
