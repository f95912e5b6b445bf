import { pipeline, type Readable, Transform } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { PRODUCT_VERSION } from '../../platform/config/product-version.ts'
import type { Context } from '../../platform/context/context.ts'
import { readMigrations } from '../../platform/db/migrate.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { createDisconnectSignal } from '../transfer/disconnect-signal.ts'
import { abortWhenStalled } from '../transfer/stall.ts'
import { streamBackup } from './create-backup.ts'
import { finishDownload, listBackups, startDownload } from './records.ts'
import { deleteBackupSchedule, getBackupSchedule, saveBackupSchedule } from './schedule.ts'
import { BackupSchedule, BackupScheduleEdit, Backups } from './schema.ts'

const tags = ['Server settings']
const MANAGE = { permission: 'server.manage' } as const

export const backupRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/server/backups',
    {
      config: MANAGE,
      schema: {
        summary: 'List the last backups',
        description:
          'When backups were made, by whom and how large they were. Only the files of scheduled backups are stored on the server.',
        tags,
        response: { 200: Backups },
      },
    },
    (request) => listBackups(request.ctx),
  )

  app.get(
    '/server/backups/schedule',
    {
      config: MANAGE,
      schema: {
        summary: 'Get the schedule of backups',
        description: 'With the result of the last one.',
        tags,
        response: { 200: BackupSchedule },
      },
    },
    (request) => getBackupSchedule(request.ctx),
  )

  app.put(
    '/server/backups/schedule',
    {
      config: MANAGE,
      schema: {
        summary: 'Set the schedule of backups',
        description:
          'The server writes a backup to its folder for backups at these times, once for all processes, and then removes the oldest scheduled ones beyond `keep`. Admins are notified if it fails. 409 if the server has no folder for backups.',
        tags,
        body: BackupScheduleEdit,
        response: { 200: BackupSchedule, ...errorResponses(400, 409) },
      },
    },
    (request) => saveBackupSchedule(request.ctx, request.body),
  )

  app.delete(
    '/server/backups/schedule',
    {
      config: MANAGE,
      schema: {
        summary: 'Turn off scheduled backups',
        description: 'The files that exist are kept.',
        tags,
        response: { 204: Type.Null(), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      await deleteBackupSchedule(request.ctx)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/server/backups/file',
    {
      config: { ...MANAGE, long: true },
      schema: {
        summary: 'Download a backup',
        description:
          'A consistent snapshot of the whole workspace, made while it is sent; the same file as `tablinum backup` writes, for `tablinum restore`. Secrets in it stay encrypted, and their key is not in it. A file that was not received completely is rejected by the restore. The audit log records the download.',
        tags,
        response: {
          200: { description: 'The file as a stream.', content: { 'application/gzip': { schema: Type.String({ format: 'binary' }) } } },
          ...errorResponses(409),
        },
      },
    },
    async (request, reply) => {
      const name = `tablinum-${request.ctx.now.toISOString().slice(0, 10)}.backup`
      reply.type('application/gzip').header('Content-Disposition', `attachment; filename="${name}"`).header('Cache-Control', 'no-store')
      const file = request.method === 'HEAD' ? '' : await openDownload(request.ctx, name, createDisconnectSignal(reply))
      return reply.send(file as string) as unknown as string // satisfies the reply type
    },
  )
}

/** The backup as a stream whose end is recorded, with its size or why it failed. */
const openDownload = async (ctx: Context, name: string, signal: AbortSignal): Promise<Readable> => {
  const { url } = ctx.runtime.databases.transfer
  const { header, file } = await streamBackup({ url, version: PRODUCT_VERSION, migrations: await readMigrations(), signal })
  let bytes = 0
  let id: string
  try {
    id = await startDownload(
      ctx,
      name,
      header.parts.reduce((sum, { rows }) => sum + rows, 0),
    )
  } catch (error) {
    file.destroy()
    throw error
  }
  const counted = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length
      done(null, chunk)
    },
  })
  pipeline(file, counted, (error) => {
    void finishDownload(ctx, id, error ? { error: 'The download was not completed.' } : { byte_size: bytes }).catch(() => {})
  })
  return abortWhenStalled(counted)
}
