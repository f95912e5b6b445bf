import { invalid } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { type AspectChange, type ParsedEvents, parseEach, parseProposal, parseSnapshot, parseUsage } from './change.ts'

/** Bodies of the requests of DataHub's client to Rest.li endpoints. Pure. */

export const readAspectsBody = (action: string, body: unknown): ParsedEvents => {
  const { proposal, proposals } = isObject(body) ? body : {}
  if (action === 'ingestProposal') return { changes: [parseProposal(unescapeUrn(proposal), 'proposal')], rejected: [] }
  if (action !== 'ingestProposalBatch') throw invalid({ action: ['must be ingestProposal or ingestProposalBatch.'] })
  if (!Array.isArray(proposals)) throw invalid({ proposals: ['must be a list.'] })
  return parseEach(proposals, 'proposals', parseProposal)
}

/** In requests with one proposal, the client writes other letters than English ones as escape sequences, and then escapes those. */
const unescapeUrn = (proposal: unknown): unknown =>
  isObject(proposal) && typeof proposal.entityUrn === 'string'
    ? {
        ...proposal,
        entityUrn: proposal.entityUrn.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
      }
    : proposal

export const readEntitiesBody = (action: string, body: unknown): ParsedEvents => {
  const { entity, entities, systemMetadata, urn } = isObject(body) ? body : {}
  if (action === 'ingest') return { changes: readEntity(entity, 'entity', systemMetadata), rejected: [] }
  if (action === 'delete') return { changes: [parseProposal({ entityUrn: urn, changeType: 'DELETE' }, 'body')], rejected: [] }
  if (action !== 'batchIngest') throw invalid({ action: ['must be ingest, batchIngest or delete.'] })
  if (!Array.isArray(entities)) throw invalid({ entities: ['must be a list.'] })
  const events = entities.map((each, i) => ({
    entity: each,
    systemMetadata: Array.isArray(systemMetadata) ? systemMetadata[i] : systemMetadata,
  }))
  return parseEach(events, 'entities', (event, place) => {
    const { entity, systemMetadata } = event as (typeof events)[number]
    return readEntity(entity, place, systemMetadata)
  })
}

const readEntity = (entity: unknown, place: string, systemMetadata: unknown): AspectChange[] => {
  if (!isObject(entity)) throw invalid({ [place]: ['must be an object with value.'] })
  return parseSnapshot(entity.value, `${place}.value`, systemMetadata)
}

export const readUsageBody = (action: string, body: unknown): ParsedEvents => {
  const { buckets } = isObject(body) ? body : {}
  if (action !== 'batchIngest') throw invalid({ action: ['must be batchIngest.'] })
  if (!Array.isArray(buckets)) throw invalid({ buckets: ['must be a list.'] })
  return parseEach(buckets, 'buckets', parseUsage)
}
