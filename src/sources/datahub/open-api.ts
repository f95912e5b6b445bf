import { invalid } from '../../platform/core/errors.ts'
import { type AspectChange, isObject, parseProposal } from './change.ts'

/** Entities as DataHub's OpenAPI v3 endpoint takes them: `[{"urn": …, "<aspect>": {"value": …}}]`. Pure. */
export const toEntityChanges = (entityType: string, body: unknown): AspectChange[] => {
  if (!Array.isArray(body)) throw invalid({ body: ['must be a list of entities.'] })
  return body.flatMap((entity, i) => {
    if (!isObject(entity)) throw invalid({ [`[${i}]`]: ['must be an object with urn.'] })
    const { urn, ...aspects } = entity
    return Object.entries(aspects)
      .filter(([, aspect]) => aspect !== null)
      .map(([aspectName, aspect]) => {
        const place = `[${i}].${aspectName}`
        if (!isObject(aspect) || !isObject(aspect.value)) throw invalid({ [place]: ['must be an object with value.'] })
        const { systemMetadata, value } = aspect
        return parseProposal({ entityUrn: urn, entityType, aspectName, aspect: { json: value }, systemMetadata }, place)
      })
  })
}
