import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { idempotentTransaction } from '../../platform/http/idempotency.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { warnAboutIgnoredFields } from '../../platform/http/validate.ts'
import { Job } from '../../platform/jobs/schema.ts'
import type { ImportFormat } from '../imports/schema.ts'
import { XLSX_TYPE } from './column.ts'
import { createDisconnectSignal } from './disconnect-signal.ts'
import { type Import, importFile } from './import.ts'
import { deleteImportLines } from './import-line-rows.ts'
import { createImportJob } from './job.ts'
import { readCsv } from './read-csv.ts'
import { type ReadLine, readJsonl } from './read-jsonl.ts'
import { readXlsx } from './read-xlsx.ts'
import { ImportQuery, ImportResult } from './schema.ts'
import { stageFile } from './stage.ts'
import { transferContext } from './transfer-context.ts'
import { decodeText, MAX_IMPORT_BYTES, readFileBytes } from './uploaded-file.ts'

interface ImportRoute {
  readonly path: string
  readonly summary: string
  readonly format: ImportFormat
  readonly types: readonly string[]
  readonly example: string
  readonly read: (bytes: AsyncIterable<Buffer>) => AsyncIterable<ReadLine>
}

const IMPORT_ROUTES: readonly ImportRoute[] = [
  {
    path: 'import_metadata',
    summary: 'Import a CSV file',
    format: 'csv',
    types: ['text/csv'],
    example: 'databuilder_id,parent_databuilder_id,entity_type,title\nshop,,database,shop\nshop.public,shop,schema,public\n',
    read: (bytes) => readCsv(decodeText(bytes)),
  },
  {
    path: 'import_jsonl_metadata',
    summary: 'Import a JSONL file',
    format: 'jsonl',
    types: ['application/x-ndjson', 'application/jsonl'],
    example: '{"databuilder_id":"shop","entity_type":"database","title":"shop"}\n{"from_identifier":"shop.a","to_identifier":"shop.b"}\n',
    read: (bytes) => readJsonl(decodeText(bytes)),
  },
  {
    path: 'import_xlsx_metadata',
    summary: 'Import an XLSX file',
    format: 'xlsx',
    types: [XLSX_TYPE],
    example: 'The bytes of an Excel workbook. Its first worksheet is imported.',
    read: readXlsx,
  },
]

/** Import endpoints. Each accepts one file format, as the body or as the only file of a form. */
export const importRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(multipart, { limits: { files: 1, fileSize: MAX_IMPORT_BYTES + 1 } })
  app.removeContentTypeParser('application/json')
  // The body is not parsed here but read from the stream line by line.
  for (const { types } of IMPORT_ROUTES) app.addContentTypeParser([...types], (_, __, done) => done(null))
  app.addContentTypeParser('*', (_, __, done) =>
    done(
      new ApiError(
        'unsupported_media_type',
        `Unsupported media type. Send ${IMPORT_ROUTES.flatMap(({ types }) => types).join(', ')} or multipart/form-data.`,
      ),
    ),
  )

  for (const route of IMPORT_ROUTES)
    app.post(
      `/integration/integrations/:integration_id/${route.path}/`,
      {
        config: { permission: 'catalog.write', large_body: true, idempotency: 'streamed' },
        bodyLimit: MAX_IMPORT_BYTES,
        schema: {
          summary: route.summary,
          description: DESCRIPTION,
          tags: ['Import and export'],
          params: Type.Object({ integration_id: Id('The integration that reports the metadata. It is created if it does not exist.') }),
          querystring: ImportQuery,
          body: {
            content: Object.fromEntries(
              [...route.types, 'multipart/form-data'].map((type) => [type, { schema: Type.Unsafe({ description: 'The file.' }) }]),
            ),
            examples: [route.example],
          },
          response: { 200: Type.Unsafe<ImportResult | Job>({ anyOf: [ImportResult, Job] }), ...errorResponses(400, 409, 413, 415) },
        },
      },
      (request, reply) => receiveFile(request, reply, route),
    )
}

const DESCRIPTION = `Each line is a resource, identified by its \`databuilder_id\`, or a lineage edge (\`from_identifier\`, \`to_identifier\`). A line of an existing resource changes
only the fields it contains. Parents (\`parent_databuilder_id\`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (\`Content-Encoding\`).`

type ImportRequest = FastifyRequest<{ Params: { integration_id: string }; Querystring: ImportQuery }>

const receiveFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { read, types, format }: ImportRoute,
): Promise<ImportResult | Job> => {
  const { params, query } = request as ImportRequest
  const { file, name } = await getUploadedFile(request, types).catch(toFormError(request))
  const hash = createHash('sha256').update(request.url)
  const staged = await stageFile(
    request.ctx,
    read(readFileBytes(file, request.headers['content-encoding'], (chunk) => hash.update(chunk))),
  ).catch(toFormError(request))
  const ctx = transferContext(request.ctx, createDisconnectSignal(reply))
  const transaction = idempotentTransaction(request, hash.digest()) // the Idempotency-Key is bound to the file content
  warnAboutIgnoredFields(reply, 'fields', { names: staged.ignored_fields })
  const upload: Import = {
    ...staged,
    file: { name: query.file_name ?? name, format },
    integration_id: params.integration_id,
    dry_run: query.dry_run ?? false,
  }
  try {
    // Queued with a request connection: running imports may use all transfer connections.
    if (query.background) return await transaction({ ...ctx, db: request.ctx.db }, (ctx) => createImportJob(ctx, upload))
    const result = await importFile(ctx, upload, { transaction })
    if (upload.dry_run) await deleteImportLines(ctx.db, upload.import_id)
    return result
  } catch (error) {
    await deleteImportLines(ctx.db, upload.import_id)
    throw error
  }
}

const MAX_NAME_LENGTH = 200

const getUploadedFile = async (
  request: FastifyRequest,
  types: readonly string[],
): Promise<{ readonly file: Readable; readonly name: string | null }> => {
  if (request.isMultipart()) {
    const part = await request.file()
    if (!part) throw invalid({ body: ['does not contain a file.'] })
    return { file: part.file, name: part.filename?.slice(0, MAX_NAME_LENGTH).toWellFormed() || null }
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined) throw invalid({ body: ['is missing. Send the file as the request body.'] })
  if (!types.includes(type))
    throw new ApiError(
      'unsupported_media_type',
      `Unsupported media type. This endpoint accepts ${types.join(', ')} or multipart/form-data.`,
    )
  return { file: request.raw, name: null }
}

/** Errors of the multipart parser are neither API errors nor database errors. */
const toFormError =
  (request: FastifyRequest) =>
  (error: Error & { code?: string }): never => {
    if (!request.isMultipart() || error instanceof ApiError || (error.code && !error.code.startsWith('FST_'))) throw error
    throw invalid({ body: ['must be a valid form with exactly one file.'] })
  }
