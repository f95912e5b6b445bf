import { invalid } from '../../platform/core/errors.ts'
import { type AspectChange, isObject, parseProposal, parseSnapshot, parseUsage } from './change.ts'

/** Bodies of the requests of DataHub's client to Rest.li endpoints. Pure. */

export const readAspectsBody = (action: string, body: unknown): AspectChange[] => {
  const { proposal, proposals } = isObject(body) ? body : {}
  if (action === 'ingestProposal') return [parseProposal(proposal, 'proposal')]
  if (action !== 'ingestProposalBatch') throw invalid({ action: ['must be ingestProposal or ingestProposalBatch.'] })
  if (!Array.isArray(proposals)) throw invalid({ proposals: ['must be a list.'] })
  return proposals.map((each, i) => parseProposal(each, `proposals[${i}]`))
}

export const readEntitiesBody = (action: string, body: unknown): AspectChange[] => {
  const { entity, entities, systemMetadata } = isObject(body) ? body : {}
  if (action === 'ingest') return readEntity(entity, 'entity', systemMetadata)
  if (action !== 'batchIngest') throw invalid({ action: ['must be ingest or batchIngest.'] })
  if (!Array.isArray(entities)) throw invalid({ entities: ['must be a list.'] })
  return entities.flatMap((each, i) =>
    readEntity(each, `entities[${i}]`, Array.isArray(systemMetadata) ? systemMetadata[i] : systemMetadata),
  )
}

const readEntity = (entity: unknown, place: string, systemMetadata: unknown): AspectChange[] => {
  if (!isObject(entity)) throw invalid({ [place]: ['must be an object with value.'] })
  return parseSnapshot(entity.value, `${place}.value`, systemMetadata)
}

export const readUsageBody = (action: string, body: unknown): AspectChange[] => {
  const { buckets } = isObject(body) ? body : {}
  if (action !== 'batchIngest') throw invalid({ action: ['must be batchIngest.'] })
  if (!Array.isArray(buckets)) throw invalid({ buckets: ['must be a list.'] })
  return buckets.map((each, i) => parseUsage(each, `buckets[${i}]`))
}
