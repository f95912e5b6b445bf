import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalid, Refusal } from '../errors.ts'
import { transactionFor } from '../http/idempotency.ts'
import { failures } from '../http/openapi.ts'
import { warnOfIgnored } from '../http/validate.ts'
import { Job } from '../jobs/schema.ts'
import { Id } from '../wire.ts'
import { gone } from './gone.ts'
import { type Import, importFile } from './import.ts'
import { createImportJob } from './job.ts'
import { readCsv } from './read-csv.ts'
import { type ReadLine, readJsonl } from './read-jsonl.ts'
import { ImportQuery, ImportResult } from './schema.ts'
import { MOST_BYTES, textOf } from './source.ts'
import { stageFile } from './stage.ts'
import { removeLines } from './store.ts'
import { forTransfer } from './transfer-context.ts'

interface Door {
  readonly path: string
  readonly summary: string
  readonly types: readonly string[]
  readonly example: string
  readonly read: (text: AsyncIterable<string>) => AsyncIterable<ReadLine>
}

const DOORS: readonly Door[] = [
  {
    path: 'import_metadata',
    summary: 'Import a CSV file',
    types: ['text/csv'],
    example: 'databuilder_id,parent_databuilder_id,entity_type,title\nshop,,database,shop\nshop.public,shop,schema,public\n',
    read: readCsv,
  },
  {
    path: 'import_jsonl_metadata',
    summary: 'Import a JSONL file',
    types: ['application/x-ndjson', 'application/jsonl'],
    example: '{"databuilder_id":"shop","entity_type":"database","title":"shop"}\n{"from_identifier":"shop.a","to_identifier":"shop.b"}\n',
    read: readJsonl,
  },
]

/** Files in: each door reads its kind of file, as the body or as the one file of a form. */
export const importRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(multipart, { limits: { files: 1, fileSize: MOST_BYTES + 1 } })
  app.removeContentTypeParser('application/json')
  // The body is left in its stream, and read there line by line.
  for (const { types } of DOORS) app.addContentTypeParser([...types], (_, __, done) => done(null))
  app.addContentTypeParser('*', (_, __, done) =>
    done(new Refusal('unsupported_media_type', `Send ${DOORS.flatMap(({ types }) => types).join(', ')} or multipart/form-data.`)),
  )

  for (const door of DOORS)
    app.post(
      `/integration/integrations/:integration_id/${door.path}/`,
      {
        config: { permission: 'catalog.write', large_body: true, idempotency: 'streamed' },
        bodyLimit: MOST_BYTES,
        schema: {
          summary: door.summary,
          description: DESCRIPTION,
          tags: ['Import and export'],
          params: Type.Object({ integration_id: Id('Whoever reports the metadata. One that is not known yet is registered.') }),
          querystring: ImportQuery,
          body: {
            content: Object.fromEntries(
              [...door.types, 'multipart/form-data'].map((type) => [type, { schema: Type.Unsafe({ description: 'The file.' }) }]),
            ),
            examples: [door.example],
          },
          response: { 200: Type.Unsafe<ImportResult | Job>({ anyOf: [ImportResult, Job] }), ...failures(400, 409, 413, 415) },
        },
      },
      (request, reply) => receive(request, reply, door),
    )
}

const DESCRIPTION = `Each line is a resource, known by its \`databuilder_id\`, or lineage (\`from_identifier\`, \`to_identifier\`). A line of a known resource changes
the fields it names; parents (\`parent_databuilder_id\`) may stand anywhere in the file. All or nothing. The body may be gzip (\`Content-Encoding\`).`

type Request = FastifyRequest<{ Params: { integration_id: string }; Querystring: { dry_run?: boolean; background?: boolean } }>

const receive = async (request: FastifyRequest, reply: FastifyReply, { read, types }: Door): Promise<ImportResult | Job> => {
  const { params, query } = request as Request
  const file = await fileOf(request, types).catch(asForm(request))
  const hash = createHash('sha256').update(request.url)
  const staged = await stageFile(
    request.ctx.db,
    read(textOf(file, request.headers['content-encoding'], (chunk) => hash.update(chunk))),
  ).catch(asForm(request))
  const ctx = forTransfer(request.ctx, gone(reply))
  const transaction = transactionFor(request, hash.digest()) // an Idempotency-Key is bound to the file
  warnOfIgnored(reply, 'fields', { names: staged.ignored_fields })
  const wanted: Import = { ...staged, integration_id: params.integration_id, dry_run: query.dry_run ?? false }
  try {
    // Queued with a connection for requests: those for transfers may all be taken by imports that run.
    if (query.background) return await transaction({ ...ctx, db: request.ctx.db }, (ctx) => createImportJob(ctx, wanted))
    const result = await importFile(ctx, wanted, { transaction })
    if (wanted.dry_run) await removeLines(ctx.db, wanted.import_id)
    return result
  } catch (error) {
    await removeLines(ctx.db, wanted.import_id)
    throw error
  }
}

const fileOf = async (request: FastifyRequest, types: readonly string[]): Promise<Readable> => {
  if (request.isMultipart()) {
    const part = await request.file()
    if (!part) throw invalid({ body: ['has no file.'] })
    return part.file
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined) throw invalid({ body: ['is missing: send the file.'] })
  if (!types.includes(type)) throw new Refusal('unsupported_media_type', `This door takes ${types.join(', ')} or multipart/form-data.`)
  return request.raw
}

/** What the reader of forms throws has no code of ours, nor one of the database. */
const asForm =
  (request: FastifyRequest) =>
  (error: Error & { code?: string }): never => {
    if (!request.isMultipart() || error instanceof Refusal || (error.code && !error.code.startsWith('FST_'))) throw error
    throw invalid({ body: ['is not a form with one file.'] })
  }
