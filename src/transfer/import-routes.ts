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

/** Import endpoints. Each accepts one file format, as the body or as the only file of a form. */
export const importRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(multipart, { limits: { files: 1, fileSize: MOST_BYTES + 1 } })
  app.removeContentTypeParser('application/json')
  // The body is not parsed here but read from the stream line by line.
  for (const { types } of DOORS) app.addContentTypeParser([...types], (_, __, done) => done(null))
  app.addContentTypeParser('*', (_, __, done) =>
    done(
      new Refusal(
        'unsupported_media_type',
        `Unsupported media type. Send ${DOORS.flatMap(({ types }) => types).join(', ')} or multipart/form-data.`,
      ),
    ),
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
          params: Type.Object({ integration_id: Id('The integration that reports the metadata. It is created if it does not exist.') }),
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

const DESCRIPTION = `Each line is a resource, identified by its \`databuilder_id\`, or a lineage edge (\`from_identifier\`, \`to_identifier\`). A line of an existing resource changes
only the fields it contains. Parents (\`parent_databuilder_id\`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (\`Content-Encoding\`).`

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
  const transaction = transactionFor(request, hash.digest()) // the Idempotency-Key is bound to the file content
  warnOfIgnored(reply, 'fields', { names: staged.ignored_fields })
  const wanted: Import = { ...staged, integration_id: params.integration_id, dry_run: query.dry_run ?? false }
  try {
    // Queued with a request connection: running imports may use all transfer connections.
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
    if (!part) throw invalid({ body: ['does not contain a file.'] })
    return part.file
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined) throw invalid({ body: ['is missing. Send the file as the request body.'] })
  if (!types.includes(type))
    throw new Refusal('unsupported_media_type', `Unsupported media type. This endpoint accepts ${types.join(', ')} or multipart/form-data.`)
  return request.raw
}

/** Errors of the multipart parser are neither API errors nor database errors. */
const asForm =
  (request: FastifyRequest) =>
  (error: Error & { code?: string }): never => {
    if (!request.isMultipart() || error instanceof Refusal || (error.code && !error.code.startsWith('FST_'))) throw error
    throw invalid({ body: ['must be a valid form with exactly one file.'] })
  }
